"""References between things of a cell: who names whom, what follows a new name, and what remains without it."""

import msgspec

from .cell import CellFrame, CellItem, CellObject, CellPoint, CellRobot, CellSpace, CellTool, Signal, ToolAction


def references_of(item: CellItem) -> tuple[str, ...]:
    """Return the names that a thing refers to."""
    match item:
        case CellRobot(tools=tools):
            return tuple(tool for tool in tools.values() if tool is not None)
        case CellTool():
            actions = [action for action in (item.open, item.close) if action is not None]
            return tuple(one.signal for action in actions for one in (*action.outputs, *action.inputs))
        case CellFrame(parent=parent):
            return (parent,)
        case CellObject(frame=frame):
            return (frame,)
        case CellPoint(frame=frame, robot=robot):
            return (frame, robot)
        case Signal(robot=robot):
            return (robot,)
        case CellSpace(frame=frame, robots=robots):
            return (frame, *robots)


def referring_to(item: CellItem, old: str, new: str) -> CellItem:
    """Return the thing with references to `old` turned to `new`."""

    def named(name: str) -> str:
        return new if name == old else name

    if old not in references_of(item):
        return item
    match item:
        case CellRobot(tools=tools):
            return msgspec.structs.replace(item, tools={arm: tool and named(tool) for arm, tool in tools.items()})
        case CellTool():
            return msgspec.structs.replace(
                item, open=_action_with(item.open, old, new), close=_action_with(item.close, old, new)
            )
        case CellFrame(parent=parent):
            return msgspec.structs.replace(item, parent=named(parent))
        case CellObject(frame=frame):
            return msgspec.structs.replace(item, frame=named(frame))
        case CellPoint(frame=frame, robot=robot):
            return msgspec.structs.replace(item, frame=named(frame), robot=named(robot))
        case Signal():
            return msgspec.structs.replace(item, robot=new)
        case CellSpace(frame=frame, robots=robots):
            return msgspec.structs.replace(item, frame=named(frame), robots=tuple(named(robot) for robot in robots))


def without_reference(item: CellItem, name: str) -> CellItem | None:
    """Return what remains of a thing when `name` is removed; None: it goes too.

    A robot without its tool is still a robot, a signal without its robot is not wired; a point without its frame is
    nowhere, and a space without its last robot would hold for all of them.
    """
    match item:
        case CellRobot(tools=tools):
            return msgspec.structs.replace(item, tools={arm: None if t == name else t for arm, t in tools.items()})
        case CellTool():
            return msgspec.structs.replace(
                item, open=_action_without(item.open, name), close=_action_without(item.close, name)
            )
        case Signal():
            return msgspec.structs.replace(item, robot="", port="")
        case CellSpace(frame=frame, robots=robots) if frame != name and robots != (name,):
            return msgspec.structs.replace(item, robots=tuple(robot for robot in robots if robot != name))
        case _:
            return None


def _action_with(action: ToolAction | None, old: str, new: str) -> ToolAction | None:
    if action is None:
        return None
    changed = {
        field: tuple(
            msgspec.structs.replace(one, signal=new) if one.signal == old else one for one in getattr(action, field)
        )
        for field in ("outputs", "inputs")
    }
    return msgspec.structs.replace(action, **changed)


def _action_without(action: ToolAction | None, name: str) -> ToolAction | None:
    """Return an action without a signal; None where no output is left."""
    if action is None:
        return None
    outputs = tuple(one for one in action.outputs if one.signal != name)
    inputs = tuple(one for one in action.inputs if one.signal != name)
    return msgspec.structs.replace(action, outputs=outputs, inputs=inputs) if outputs else None
