"""RoboMap, a mobile platform: its facts, and how it looks."""
