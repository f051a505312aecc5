"""ABB YuMi IRB 14000: its facts, and how it looks."""
