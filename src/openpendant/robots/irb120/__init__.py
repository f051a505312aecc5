"""ABB IRB 120: its facts, and how it looks."""
