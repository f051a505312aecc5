"""The tables of stops in the docs are those that the tool writes."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from stop_table import BEGIN, END, PAGE, tables  # noqa: E402


def test_the_table_of_stops_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert written.strip() == tables(), "run tools/stop_table.py"
