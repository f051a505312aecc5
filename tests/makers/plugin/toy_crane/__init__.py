"""A toy maker: cranes of two joints, with a protocol and a language of ten lines.

Driver, virtual controller, probe, upload and tool, in its own package: nothing of OpenPendant knows it.
"""
