"""`openpendant virtual` as a person starts it."""

import re
import subprocess
import sys

PATIENCE_S = 60.0


def test_virtual_prints_one_ready_line_and_ends_on_a_signal():
    command = [sys.executable, "-m", "openpendant", "virtual", "ur5e", "--bind", "127.0.10.41"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.terminate()
        rest = process.stdout.read()
    assert re.fullmatch(r"Virtual UR5e is ready at 127\.0\.10\.41  \(pendant: http://127\.0\.10\.41:29980/.*\)\n", line)
    assert rest == ""
    assert process.returncode == 0


def test_bad_words_end_with_one_line_and_code_2():
    for words in (["ur99"], ["ur3e", "--bind", "1.2.3.4"], ["ur3e", "--start-q", "a,b"], ["ur3e", "--noise", "-1"]):
        command = [sys.executable, "-m", "openpendant", "virtual", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
