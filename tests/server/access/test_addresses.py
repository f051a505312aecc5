"""One machine counts once, however many addresses it has."""

from openpendant.server.access import rate_key


def test_one_machine_counts_once_however_many_addresses_it_has() -> None:
    assert rate_key("2001:db8::1") == rate_key("2001:db8::ffff:2")
    assert rate_key("2001:db8::1") != rate_key("2001:db8:1::1")
    assert rate_key("10.0.0.1") != rate_key("10.0.0.2")
