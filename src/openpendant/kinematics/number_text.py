"""Numbers as people read them."""


def millimetres(metres: float) -> str:
    """Return whole millimetres, or two digits of less than one."""
    return f"{1000.0 * metres:.0f} mm" if metres >= 0.001 else f"{1000.0 * metres:.2g} mm"


def digits(value: float) -> str:
    """Return one decimal, or two digits of a smaller number."""
    return f"{value:.1f}" if value == 0.0 or abs(value) >= 0.05 else f"{value:.2g}"
