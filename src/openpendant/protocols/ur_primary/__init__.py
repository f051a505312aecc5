"""Primary, secondary and real-time interface of Universal Robots controllers (ports 30001, 30002, 30003)."""
