"""Stäubli RX90L: its facts, and how it looks."""
