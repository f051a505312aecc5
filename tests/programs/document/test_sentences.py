"""Every action is one English sentence."""

from every_action import EVERYTHING
from small_cells import program

from openpendant.programs import (
    all_steps,
    print_program,
    sentence,
)


def test_every_action_is_one_sentence():
    lines = [sentence(step) for _, step in all_steps(EVERYTHING)]
    assert all(line.endswith(".") and "\n" not in line for line in lines)
    assert lines[1] == "Go to above by joints at 200 mm/s and round the corner by up to 10 mm."
    assert lines[3] == (
        "Go to beside on an arc through above at 120 mm/s and 90 °/s and round the corner by up to 12 mm."
    )
    assert lines[7] == "Wait until part here is off, at most 5 s."
    assert "moved (row * 0.05) m along x and 10 mm along z of the tool" in lines[12]
    assert lines[-2] == "Pick cube: approach by 100 mm, retreat by 100 mm."
    assert lines[-1] == (
        "Place what it holds at above, moved (row * 0.05) m along x: approach by 100 mm, retreat by 50 mm."
    )
    printed = print_program(EVERYTHING)
    assert "16  (Run the program other.)" in printed
    assert "  12.1  Go to above" in printed
    assert print_program(program()) == "The program is empty."
