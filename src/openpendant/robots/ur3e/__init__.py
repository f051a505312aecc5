"""Universal Robots UR3e: its facts, and how it looks."""
