"""No two files start a robot at one address: they may run at the same time."""

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parent
ADDRESS = re.compile(r"\"(127\.0\.(?!0\.)\d+\.\d+)\"")
"""127.0.0.x are given out by the product itself."""


def test_every_address_belongs_to_one_file() -> None:
    files: defaultdict[str, set[str]] = defaultdict(set)
    for path in TESTS.rglob("*.py"):
        for address in ADDRESS.findall(path.read_text()):
            files[address].add(str(path.relative_to(TESTS)))
    assert len(files) > 20
    assert {address: found for address, found in files.items() if len(found) > 1} == {}
