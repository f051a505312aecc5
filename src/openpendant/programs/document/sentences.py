"""sentence: every action as one sentence."""

import math

from .actions import (
    Action,
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
    Target,
    Tool,
    Value,
    Wait,
    WaitInput,
    While,
)
from .program import Program
from .speed_zone_text import describe_speed, describe_zone
from .tree import slots_of

WAYS = {"joint": "by joints", "line": "in a straight line", "arc": "on an arc"}


def sentence(action: Action) -> str:
    """Return what an action does, as one sentence: 'Go to pick in a straight line at 200 mm/s and stop there.'"""
    match action:
        case Wait(seconds=seconds):
            return f"Wait {seconds:g} s."
        case GoTo():
            return _go_to(action)
        case MoveAxis(q=q, speed=speed, zone=zone):
            angles = [f"{math.degrees(value):.4g}°" for value in q]
            listed = ", ".join(angles[:-1]) + f" and {angles[-1]}" if len(angles) > 1 else "".join(angles)
            return f"Set the joints to {listed} at {describe_speed(speed)} and {describe_zone(zone)}."
        case Tool(state=state):
            return "Open the tool." if state == "open" else "Close the tool."
        case PickPart() | PlacePart():
            return _handling(action)
        case SetOutput(signal=signal, value=value):
            return f"Switch {signal} {'on' if value else 'off'}."
        case WaitInput(signal=signal, value=value, timeout_s=timeout):
            longest = "" if timeout is None else f", at most {timeout:g} s"
            return f"Wait until {signal} is {'on' if value else 'off'}{longest}."
        case SpeedOverride(percent=percent):
            return f"Go on at {percent:g} % of the programmed speeds."
        case SetVariable(name=name, value=value):
            return f"Set {name} to {_number(value)}."
        case Comment(text=text):
            return text
        case Call(program=program):
            return f"Run the program {program}."
        case Group(title=title, steps=steps):
            return f"{title or 'Group'}: {_count(steps)}."
        case Repeat(times=times, steps=steps):
            often = "for ever" if times is None else "once" if times == 1 else f"{times} times"
            return f"Repeat {_count(steps)} {often}."
        case While(condition=condition, steps=steps):
            return f"While {condition}, repeat {_count(steps)}."
        case If(condition=condition, steps=steps, otherwise=otherwise):
            other = f", otherwise {_count(otherwise)}" if otherwise else ""
            return f"If {condition}, do {_count(steps)}{other}."


def print_program(program: Program) -> str:
    """Return the whole program, a numbered sentence on each line; steps inside others are indented.

    Numbers count as 3, 3.1, 3.2; steps that are switched off stand in brackets.
    """
    if not program.steps:
        return "The program is empty."
    return "\n".join(_lines(program.steps, "", 0))


def _lines(steps: tuple[Action, ...], prefix: str, depth: int) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        text = sentence(step)
        lines.append(f"{'  ' * depth}{prefix}{number}  {text if step.enabled else f'({text})'}")
        for slot in slots_of(step):
            inner: tuple[Action, ...] = getattr(step, slot)
            if slot == "otherwise" and inner:
                lines.append(f"{'  ' * depth}Otherwise:")
            lines += _lines(inner, f"{prefix}{number}.{'e' if slot == 'otherwise' else ''}", depth + 1)
    return lines


def _go_to(action: GoTo) -> str:
    via = "" if action.via is None else f" through {_target(action.via)}"
    tool = f" with the {action.tool}" if action.tool else ""
    beside = "" if action.offset is None else f", {_offset(action.offset)},"
    return (
        f"Go to {_target(action.to)}{beside} {WAYS[action.how]}{via}{tool} at {describe_speed(action.speed)} "
        f"and {describe_zone(action.zone)}."
    )


def _handling(action: PickPart | PlacePart) -> str:
    picks = isinstance(action, PickPart)
    what = action.part or ("what is there" if picks else "what it holds")
    where = "" if action.at is None else f" at {_target(action.at)}"
    beside = "" if action.offset is None else f", {_offset(action.offset)}"
    ways = f"approach by {1000.0 * action.approach_m:g} mm, retreat by {1000.0 * action.retreat_m:g} mm"
    return f"{'Pick' if picks else 'Place'} {what}{where}{beside}: {ways}."


def _target(target: Target) -> str:
    if not isinstance(target, InlinePoint):
        return target
    place = ", ".join(f"{1000.0 * value:.4g}" for value in target.pose.xyz)
    return f"({place}) mm in {target.frame}"


def _offset(offset: Offset) -> str:
    parts = [
        f"{_length(value)} along {axis}"
        for axis, value in zip("xyz", offset.by, strict=True)
        if value not in (0.0, "0")
    ]
    return f"moved {' and '.join(parts) or 'by nothing'}{' of the tool' if offset.axes == 'tool' else ''}"


def _length(value: Value) -> str:
    return f"({value}) m" if isinstance(value, str) else f"{1000.0 * value:g} mm"


def _number(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _count(steps: tuple[Action, ...]) -> str:
    return "1 step" if len(steps) == 1 else f"{len(steps)} steps"
