"""UrController: the brain of a Universal Robots controller; one tick is 2 ms."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .messages import UrMessage
from .sockets_port import ScriptSockets

__all__ = ["UrController"]


class UrController:
    """A controller without sockets and without a clock: deterministic, driven by `tick`.

    The order of a 2 ms period for whoever hosts it: feed what clients sent (`write_input`, `dashboard`,
    `run_script`), `tick()`, then send what `compile_reader` functions return.
    """

    def __init__(
        self,
        model: Any,
        *,
        cell: Any = None,
        start_q: Sequence[float] | None = None,
        seed: int = 0,
        options: Any = None,
        programs: Path | None = None,
        sockets: ScriptSockets | None = None,
    ) -> None:
        """Build a controller that is switched off.

        Args:
            model: `ur_model("ur3e")` or "ur5e", with or without a calibration.
            cell: A `UrCell` (document, which placed robot it is) to collide with; None: an empty world.
            start_q: Joints at the start, radians.
            seed: Of noise.
            options: `UrOptions`: noise, lag, elasticity, durations, versions, serial number.
            programs: The programs folder that `load` reads from; None: no program can be loaded.
            sockets: For the socket functions of URScript; None: no network.
        """

    # --- time
    ticks: int
    """Counted 2 ms steps since power-up of the controller."""
    timestamp: float
    """ticks × 0.002 s, without drift."""

    def tick(self) -> None:
        """Let 2 ms pass: scripts, motion, plant, safety, watchdogs."""

    # --- RTDE
    def read(self, name: str) -> Any:
        """Return an RTDE output variable: int, float, bool, or a tuple for vectors. UnknownNameError else."""

    def compile_reader(self, names: Sequence[str]) -> Callable[[], tuple[Any, ...]]:  # pyright: ignore
        """Return a function that returns all values flat (vectors unrolled), for `struct.pack`."""

    def write_input(self, name: str, value: Any) -> None:
        """Take an RTDE input variable; also counts as an update for `rtde_set_watchdog`."""

    def compile_writer(self, names: Sequence[str]) -> Callable[[Sequence[Any]], None]:  # pyright: ignore
        """Return a function that takes one value for each name (a sequence for vectors), masks understood."""

    # --- dashboard: one line in, one line out (no line ends); `shut_down` tells when the box is off
    def dashboard(self, line: str) -> str:  # pyright: ignore
        """Return the reply to a dashboard command."""

    shut_down: bool

    # --- scripts and programs
    def run_script(self, text: str) -> None:
        """Run a program as it arrives on 30001, 30002, 30003: replaces what runs; `sec` runs beside it."""

    def load_program(self, path: Path | str) -> str | None:
        """Load .urp, .script or .txt; return None, or why not in the controller's words."""

    def play(self) -> bool:  # pyright: ignore
        """Start or resume the loaded program."""

    def pause(self) -> bool:  # pyright: ignore
        """Pause the running program: the arm brakes on its path."""

    def stop(self) -> bool:  # pyright: ignore
        """Stop the running program; the arm brakes."""

    # --- what a person does at the pendant
    def power_on(self) -> None: ...
    def power_off(self) -> None: ...
    def brake_release(self) -> None: ...
    def press_emergency_stop(self) -> None: ...
    def release_emergency_stop(self) -> None: ...
    def trigger_protective_stop(self, reason: str) -> None: ...
    def unlock_protective_stop(self) -> bool: ...  # pyright: ignore
    def restart_safety(self) -> None: ...
    def confirm_popup(self) -> bool: ...  # pyright: ignore
    def hold_freedrive(self, held: bool) -> None: ...
    def push_tool(self, wrench: Sequence[float]) -> None:
        """Apply a force (N) and torque (Nm) at the tool in base axes: moves the arm in freedrive, felt by force()."""

    def set_speed_slider(self, fraction: float) -> None: ...
    def set_input(self, name: str, value: bool | float) -> None:
        """Set a physical input: "standard_digital_3", "configurable_digital_0", "tool_digital_1", "analog_0", …"""

    # --- primary and real-time interface
    def primary_state(self) -> Any:
        """Return what the sub-packages of robot state messages carry."""

    def realtime_state(self) -> Any:
        """Return what the packet of port 30003 carries."""

    def messages(self) -> tuple[UrMessage, ...]:  # pyright: ignore
        """Return what happened since the last call: runtime errors, key messages, popups, texts."""

    def deviation(self) -> Any:
        """Return how far the tracked path was from the programmed one since the program started."""
