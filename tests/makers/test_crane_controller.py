"""A maker from its own package: its driver passes the kit, and its virtual controller starts as ours do."""

import time

import pytest
from cranes import crane_cell, wait_for

from openpendant.controllers import Controller, Dialler, SocketDialler, VendorTasks, VendorText, parse_address
from openpendant.errors import InputError, OpenPendantError
from openpendant.makers import DriverArm, DriverSetup, export_as, export_forms, find_maker
from openpendant.motion import joint_limits
from openpendant.programs import MoveAxis, Program, SetOutput
from openpendant.robots import load
from openpendant.scene import SetField, edit
from openpendant.testing import NullModem, VirtualTime, check_controller
from openpendant.virtual import start_virtual
from openpendant.virtual.faults import Fault
from openpendant.virtual.host import VirtualHost

HERE = "127.0.21.{}"
NEEDS_SETPOINTS = {"follows setpoints", "runs a sampled path", "stops under control", "stops at once"}
TASKS = VendorTasks(
    "both",
    (
        VendorText("crane", "swing", "go 0.1 0.5 0.4\nwait 0.1\ngo 0.0 0.4 0.4", task="joints", arm="arm"),
        VendorText("crane", "blink", "set lamp 1\nwait 0.2\nset lamp 0", task="lamp"),
    ),
)


def driver(address: str, dialler: Dialler | None = None) -> Controller:
    robot = load("crane")
    maker = find_maker(robot)
    assert maker is not None
    arm = DriverArm("arm", joint_limits(robot, "arm"))
    outputs = {"lamp": "lamp"}
    there = maker.parse_address(address)
    setup = DriverSetup(there, robot, (arm,), {"free": "limit"}, outputs, dialler or SocketDialler())
    return maker.make_driver(setup)


class Cable:
    """What lies between driver and crane."""

    def __init__(self, host: VirtualHost, *, slow: bool) -> None:
        self._host, self._slow = host, slow
        self.mend()

    def cut(self) -> None:
        self._host.cause(Fault("silence", seconds=60.0))

    def mend(self) -> None:
        self._host.cause(Fault("clear"))
        if self._slow:
            self._host.cause(Fault("slow"))


@pytest.mark.virtual_time
@pytest.mark.parametrize("slow", [False, True])
def test_its_driver_passes_the_kit(slow: bool) -> None:
    from toy_crane.host import CraneHost

    host, clock = CraneHost("crane", (0.0, 0.4), in_process=True), VirtualTime()
    cable = Cable(host, slow=slow)
    made = driver("crane", NullModem(host, clock))
    report = check_controller(lambda: made, program=TASKS, breaker=cable, clock=clock)
    host.close()
    assert report.ok, str(report)
    left_out = {check.name for check in report.checks if check.left_out}
    assert left_out == (NEEDS_SETPOINTS if slow else set())


def test_over_sockets_several_tasks_are_one_job_with_one_progress_and_one_stop() -> None:
    with start_virtual("crane", HERE.format(3)) as crane:
        controller = driver(crane.address)
        controller.connect()

        def tick(until: str) -> None:
            def there() -> bool:
                controller.poll(time.monotonic_ns())
                return any(event.kind == until for event in controller.events())

            wait_for(there, until)

        try:
            waits = VendorText("crane", "waits", "wait 60", task="lamp")
            controller.run(VendorTasks("long", (VendorText("crane", "far", "go 1.5 0.4 0.1", task="joints"), waits)))
            assert controller.progress("arm").total == 2
            controller.stop()
            tick("stopped")
            assert controller.progress("arm").ended == "stopped"
            assert not controller.state.moving["arm"]
        finally:
            controller.close()


def test_what_is_at_an_address_is_told_by_its_maker() -> None:
    robot = load("crane")
    maker = find_maker(robot)
    assert maker is not None
    with start_virtual("crane", HERE.format(4)):
        (found,) = maker.probe(maker.parse_address(HERE.format(4)), robot)
        assert (found.code, found.fine, found.hopeless) == ("found", True, False)
        (found,) = maker.probe(maker.parse_address(f"tcp:{HERE.format(4)}:7700"), robot)
        assert found.fine
    (found,) = maker.probe(maker.parse_address(HERE.format(5)), robot)
    assert (found.code, found.hopeless) == ("nobody", True)
    with pytest.raises(InputError, match=r"allowed: 192\.168\.1\.10, tcp:"):
        maker.parse_address("serial:/dev/ttyUSB0")
    assert str(parse_address("serial:/dev/ttyUSB0")) == "serial:/dev/ttyUSB0"


def test_its_options_are_its_own() -> None:
    with pytest.raises(OpenPendantError, match="a virtual Crane has no option --elastic; known: --by-hand"):
        start_virtual("crane", HERE.format(7), elastic=2.0)
    with pytest.raises(OpenPendantError, match="no option --by-hand; known:"):
        start_virtual("ur3e", HERE.format(7), by_hand=True)


def test_a_cell_knows_its_ports() -> None:
    with pytest.raises(InputError, match="use magnet or lamp"):
        edit(crane_cell(), SetField(name="pull", field="port", value="standard_out_0"))


def test_its_language_is_one_of_the_exports() -> None:
    cell = crane_cell()
    swing = Program(
        name="swing",
        robot="crane",
        steps=(MoveAxis(id="a", q=(0.2, 0.5), speed="50%"), SetOutput(id="b", signal="lamp")),
    )
    assert export_forms(cell, swing)[0] == "crane"
    texts = export_as("crane", cell, swing)
    assert [text.task for text in texts] == ["joints", "lamp"]
    assert texts[0].text.splitlines() == ["# swing", "go 0.2 0.5 0.4", "set lamp 1"]
