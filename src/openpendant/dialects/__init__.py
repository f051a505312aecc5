"""Vendors' robot languages: grammar, tree, values and an interpreter core for each. They know nothing of sockets."""

__all__: list[str] = []
