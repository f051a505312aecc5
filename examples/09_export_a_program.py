"""Take vendor code home: the same demo programs as RAPID, URScript and V+, and the timed joint path as CSV."""

from pathlib import Path

from openpendant.programs import read_programs
from openpendant.programs.export import export_csv, export_rapid, export_urscript, export_vplus
from openpendant.scene import load_demo
from openpendant.scene.demo_cells import FOLDER

for demo, name, export in (
    ("pick_and_place", "pallet_row", export_rapid),
    ("bench", "fill_bin", export_urscript),
    ("weld_a_box", "weld_box", export_vplus),
    ("weld_a_box", "weld_box", export_csv),
):
    cell = load_demo(demo).cell
    programs = read_programs(FOLDER / demo, cell)
    for file in export(cell, programs[name], programs=programs):
        Path(file.name).write_text(file.text)
        print(f"{file.name}: {len(file.text.splitlines())} lines")

print(Path("pallet_row.mod").read_text())
