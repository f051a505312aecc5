"""V+ as points and a program that replays them: monitor commands that a person opens on the controller."""

from collections.abc import Mapping
from pathlib import Path

from openpendant.controllers import VendorText
from openpendant.programs.document import Program
from openpendant.scene import Cell

from .source import Lines, ascii_text, heading, open_source
from .waypoints import ppoint, waypoints_of


def export_replay(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None = None, folder: Path | str | None = None
) -> tuple[VendorText, ...]:
    """Return a program as monitor commands that store its points, and the program that replays them.

    Open `output.txt` on the controller, then `LOAD replay.pg` and `EXECUTE replay()`. All moves are made by joints;
    straight ones have points on the way, every 20 mm. `s_v[]` says at which points the arm stops.

    Raises:
        InputError: A move cannot be executed, or a called program is for another arm.
    """
    source = open_source(cell, program, programs, folder)
    out = Lines()
    out.add("DO SPEED 20")
    index = 0
    for stretch in source.visits.stretches:
        made = [visit for visit in source.visits.main if visit.leg in stretch.chain.legs]
        for visit in made:
            points = waypoints_of(source, visit)
            for place, q in enumerate(points):
                stops = visit.stops and place == len(points) - 1
                out.add(f"DO DECOMPOSE J_V[{6 * index}]={ppoint(q)};")
                out.add(f"DO S_V[{index}]={int(stops)};")
                index += 1
    replay = Lines()
    replay.add(".PROGRAM replay()")
    inside = replay.inside()
    for line in heading(source):
        inside.add(f"; {line}")
    inside.add("; Replays the points that output.txt has put into j_v[].")
    inside.add("AUTO REAL i, n")
    inside.add("n = 0")
    inside.add("FOR i = 0 TO LAST(j_v[]) STEP 6")
    each = inside.inside()
    each.add("MOVE #PPOINT(j_v[i],j_v[i+1],j_v[i+2],j_v[i+3],j_v[i+4],j_v[i+5])")
    each.add("IF s_v[n] THEN")
    each.inside().add("BREAK")
    each.inside().add('TYPE "COMPLETED SET OF JOINTS NUMBER ", $ENCODE(n+1)')
    each.add("END")
    each.add("n = n+1")
    inside.add("END")
    replay.add(".END")
    return VendorText("vplus", "output.txt", ascii_text(out)), VendorText("vplus", "replay.pg", ascii_text(replay))
