"""A toy maker: cranes of two joints, with a protocol and a language of ten lines.

Driver, virtual controller, probe, upload and tool, in a package of its own: nothing of OpenPendant knows it.
"""
