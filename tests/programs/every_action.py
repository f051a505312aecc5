"""A program with every kind of action in it."""

from small_cells import at, program

from openpendant.programs import (
    Call,
    Comment,
    GoTo,
    Group,
    If,
    InlinePoint,
    MoveAxis,
    Offset,
    PickPart,
    PlacePart,
    Repeat,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    While,
)

EVERYTHING = program(
    Wait(seconds=1.5),
    GoTo(to="above", zone="z10"),
    GoTo(to=InlinePoint(pose=at(0.3, 0.0, 0.2, (0.0, 0.0, 1.0, 0.0)), frame="tray"), how="line", speed="30%"),
    GoTo(to="beside", via="above", how="arc", speed="120 mm/s 90 °/s", zone="12 mm"),
    MoveAxis(q=(0.0, 0.1, 0.2, 0.0, 0.5, 0.0), speed="50%", zone="z50"),
    Tool(state="open"),
    SetOutput(signal="lamp"),
    WaitInput(signal="part here", value=False, timeout_s=5.0),
    SpeedOverride(percent=60.0),
    SetVariable(name="row", value="row + 1"),
    Comment(text="Now the pallet."),
    Group(title="Row", steps=(GoTo(id="inner", to="above", offset=Offset(by=("row * 0.05", 0.0, 0.01), axes="tool")),)),
    Repeat(times=3, steps=(Wait(id="pause", seconds=0.1),)),
    While(condition="row < 3 and not ready", steps=(SetVariable(id="count", name="row", value=9.0),)),
    If(condition="'part here'", steps=(Tool(id="yes", state="close"),), otherwise=(Tool(id="no", state="open"),)),
    Call(program="other", enabled=False),
    PickPart(part="cube", opening_m=0.03),
    PlacePart(
        part="", at="above", offset=Offset(by=("row * 0.05", 0.0, 0.0)), along="+z", retreat_m=0.05, slowly="20%"
    ),
    variables={"row": 0.0},
    name="everything",
)
