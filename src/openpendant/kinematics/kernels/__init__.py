"""The compiled inner loops. Plain arrays in and out, nothing checked; the rooms' own modules call them."""

__all__: list[str] = []
