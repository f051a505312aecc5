"""The driver of ABB arms against the virtual controller, in one process and in virtual time."""

from collections.abc import Iterator

import numpy as np
import pytest
from abb_pair import IRB_TASKS, SIGNALS, TICK_S, AbbPair, jointtarget, moves, short_ride, swing, wave

from openpendant.controllers import SampledPath, ToolStroke, ToolWiring, VendorTasks, VendorText
from openpendant.controllers.abb import AbbArm, AbbDriver
from openpendant.errors import ControllerError, InputError, LinkError
from openpendant.testing import check_controller
from openpendant.virtual.abb.setup import OPTIONS

FIRST = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""The first joint."""


class Cut:
    """The cable is out for as long as it takes."""

    def __init__(self, pair: AbbPair) -> None:
        self.pair = pair

    def cut(self) -> None:
        self.pair.fault("drop", seconds=60.0)
        self.pair.fault("silence", seconds=60.0)

    def mend(self) -> None:
        self.pair.fault("clear")


@pytest.fixture(scope="module")
def shared() -> Iterator[AbbPair]:
    made = AbbPair()
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_yumi() -> Iterator[AbbPair]:
    made = AbbPair("yumi")
    yield made
    made.close()


@pytest.fixture
def pair(shared: AbbPair) -> AbbPair:
    shared.recover()
    shared.driver.events()
    return shared


@pytest.fixture
def yumi(shared_yumi: AbbPair) -> AbbPair:
    shared_yumi.recover()
    shared_yumi.driver.events()
    return shared_yumi


@pytest.mark.parametrize(("model", "arm"), [("irb120", "arm"), ("yumi", "left"), ("yumi", "right")])
def test_it_is_a_controller(model: str, arm: str):
    pair = AbbPair(model, connected=False)
    pair.driver.connect()
    program = short_ride(pair, {arm: 0.1})
    pair.driver.close()
    report = check_controller(
        lambda: pair.driver, arm=arm, program=program, breaker=Cut(pair), clock=pair.clock, way_rad=0.05
    )
    assert report.ok, str(report)
    assert not any(one.left_out for one in report.checks)
    pair.close()


def test_both_arms_of_a_yumi_are_guided_together(yumi: AbbPair):
    driver = yumi.driver
    ways = {"left": 0.2, "right": -0.2}
    before = {arm: yumi.plant(arm) for arm in ways}
    paths = {arm: wave(yumi, arm, way, 1.0) for arm, way in ways.items()}
    for arm, Q in paths.items():
        driver.run(SampledPath(arm, Q))
    seen = []
    while not all(driver.progress(arm).over for arm in ways):
        yumi.tick()
        seen.append([yumi.speed(arm) for arm in ways])
    assert min(max(one) for one in np.transpose(seen)) > 0.2
    yumi.tick(100)
    for arm, Q in paths.items():
        assert yumi.plant(arm) == pytest.approx(Q[-1], abs=1e-3)
        driver.run(SampledPath(arm, Q[::-1]))
    yumi.until(lambda: all(driver.progress(arm).finished for arm in ways), "the way back")
    yumi.tick(100)
    assert all(yumi.plant(arm) == pytest.approx(before[arm], abs=2e-3) for arm in ways)


def test_two_programs_of_a_yumi_are_one_job(yumi: AbbPair):
    job = short_ride(yumi, {"left": 0.15, "right": -0.15})
    yumi.driver.run(job)
    fastest = {"left": 0.0, "right": 0.0}
    together = False
    while not yumi.driver.progress("left").over:
        yumi.tick()
        fastest = {arm: max(most, yumi.speed(arm)) for arm, most in fastest.items()}
        together = together or min(yumi.speed("left"), yumi.speed("right")) > 0.05
    assert yumi.driver.progress("left") == yumi.driver.progress("right")
    assert yumi.driver.progress("left").finished, yumi.driver.events()
    assert together
    assert min(fastest.values()) > 0.1
    assert yumi.kinds().count("job done") == 1


def test_a_stop_of_one_is_a_stop_of_both(yumi: AbbPair):
    both = VendorTasks("both", tuple(swing(yumi, way, arm=arm) for arm, way in (("left", 0.3), ("right", -0.3))))
    yumi.start(both, 0.2)
    yumi.until(lambda: min(yumi.speed("left"), yumi.speed("right")) > 0.2, "both arms fast")
    yumi.driver.stop()
    yumi.until(lambda: yumi.rests, "rest", 0.5)
    yumi.recover()
    assert yumi.kinds().count("stopped") == 1
    assert yumi.driver.progress("right").ended == "stopped"


def test_guidance_begins_without_a_jump(pair: AbbPair):
    driver = pair.driver
    driver.close()
    at = pair.plant()
    driver.connect()
    most = 0.0
    for _ in range(500):
        pair.tick()
        most = max(most, float(np.abs(pair.plant() - at).max()))
    assert driver.state.can_move
    assert most < 1e-5


def test_setpoints_are_followed_as_closely_as_the_drives_can(pair: AbbPair):
    rows = wave(pair, "arm", 0.5, 1.0)
    seen = []
    for row in (*rows, *rows[::-1]):
        pair.driver.servo("arm", row)
        pair.tick()
        seen.append(pair.plant()[0])
    wanted = np.concatenate([rows, rows[::-1]])[:, 0]
    # The drives follow 30 ms behind, and a message is under way for one tick each way.
    late = round(0.042 / 0.004)
    assert np.abs(np.array(seen)[late:] - wanted[:-late]).max() < 0.012
    assert np.abs(pair.driver.state.q["arm"] - pair.plant()).max() < 1e-3


def test_states_come_at_every_tick_while_guided_and_tell_what_the_plant_does(pair: AbbPair):
    stamps, speeds = set[int](), []
    pair.driver.run(SampledPath("arm", wave(pair, "arm", 0.3, 1.0)))
    for _ in range(250):
        pair.tick()
        stamps.add(pair.driver.state.stamp_ns)
        speeds.append((pair.driver.state.qd["arm"][0], pair._unit("arm").arm.plant.qd[0]))
    assert len(stamps) == 250
    told, real = np.transpose(speeds)
    assert np.abs(told - real).max() < 0.06
    assert pair.driver.state.time_ns > 0


def test_a_path_from_elsewhere_or_beyond_limits_is_refused(pair: AbbPair):
    q = pair.driver.state.q_target["arm"]
    with pytest.raises(InputError, match="jump"):
        pair.driver.run(SampledPath("arm", [q + 0.5 * FIRST]))
    with pytest.raises(InputError, match="limits"):
        pair.driver.run(SampledPath("arm", np.linspace(q, q + 9.0 * FIRST, 5000)))
    with pytest.raises(InputError, match="away"):
        pair.driver.servo("arm", q + 0.6)


def test_outputs_inputs_and_the_tool(pair: AbbPair):
    hand = ToolWiring(
        "hand",
        open=ToolStroke((("grip", False),), time_s=0.3),
        close=ToolStroke((("grip", True),), (("shut", True),), timeout_s=1.0),
    )
    driver, signals = pair.driver, pair.brain.signals
    driver.set_output("lamp", value=True)
    pair.until(lambda: driver.state.outputs["lamp"], "the output", 0.3)
    assert signals.read("doLamp") == 1.0
    with pytest.raises(InputError, match="grip"):
        driver.set_output("horn", value=True)
    facts = driver._arms["arm"].facts
    driver._arms["arm"].facts = AbbArm("arm", lower=facts.lower, upper=facts.upper, tool=hand)
    try:
        driver.events()
        driver.tool("arm", 0.0, closes=True)
        pair.until(lambda: signals.read("doGrip") == 1.0, "the output", 0.3)
        pair.tick(50)
        assert driver.state.tool_moving["arm"], "it waits for its input"
        signals.write("diShut", 1.0)
        pair.until(lambda: not driver.state.tool_moving["arm"], "the input", 0.3)
        assert "tool" in pair.kinds()
        driver.tool("arm", 0.02, closes=False)
        assert pair.until(lambda: not driver.state.tool_moving["arm"], "the time", 1.0) >= 0.3
        signals.write("diShut", 0.0)
        pair.tick(20)
        driver.events()
        driver.tool("arm", 0.0, closes=True)
        pair.until(lambda: not driver.state.tool_moving["arm"], "an end without the input", 2.0)
        assert "warning" in pair.kinds()
    finally:
        driver._arms["arm"].facts = facts
    with pytest.raises(InputError, match="wired"):
        driver.tool("arm", 0.0, closes=True)


def test_signals_are_known_and_set_while_the_motors_are_off():
    pair = AbbPair()
    pair.brain.panel.set_motors(on=False)
    pair.until(lambda: pair.driver.state.mode == "off", "motors off")
    assert not pair.driver.state.can_move
    pair.tick(200)
    pair.brain.signals.write("diShut", 1.0)
    pair.until(lambda: pair.driver.state.inputs["shut"], "the input", 2.0)
    pair.driver.set_output("lamp", value=True)
    pair.until(lambda: pair.driver.state.outputs["lamp"], "the output", 2.0)
    with pytest.raises(ControllerError, match="off"):
        pair.driver.servo("arm", pair.plant())
    pair.brain.panel.set_motors(on=True)
    pair.until(lambda: pair.driver.state.can_move, "control", 5.0)
    pair.close()


def test_an_emergency_stop_is_told_and_left_to_people(pair: AbbPair):
    pair.driver.run(SampledPath("arm", wave(pair, "arm", 0.5, 2.0)))
    pair.tick(200)
    pair.brain.panel.set_emergency(pressed=True)
    pair.until(lambda: pair.driver.state.safety == "emergency stop", "the emergency stop", 0.5)
    pair.until(lambda: pair.driver.progress("arm").over, "the end of the path", 0.5)
    pair.brain.panel.set_emergency(pressed=False)
    pair.until(lambda: pair.driver.state.mode == "off", "motors off", 1.0)
    pair.tick(250)
    assert not pair.brain.program.running
    assert "emergency stop" in pair.kinds()
    pair.brain.panel.set_motors(on=True)
    pair.recover()


def test_manual_mode_is_said_and_nothing_is_started_in_it():
    pair = AbbPair()
    pair.brain.panel.set_mode("MANR")
    pair.until(lambda: pair.driver.state.operating == "manual", "manual mode", 2.0)
    pair.brain.panel.set_motors(on=True)
    pair.tick(500)
    assert not pair.brain.program.running
    with pytest.raises(ControllerError) as refused:
        pair.driver.servo("arm", pair.plant())
    assert "manual mode" in str(refused.value)
    pair.close()


def test_another_client_with_the_mastership_is_named():
    pair = AbbPair()
    pair.driver.close()
    pair.host.rws.mastership.request("somebody", "rapid")
    with pytest.raises(ControllerError, match="mastership"):
        pair.driver.connect()
    pair.host.rws.mastership.release("somebody", "rapid")
    pair.driver.connect()
    assert pair.driver.state.can_move
    pair.close()


def test_a_program_of_somebody_else_is_left_alone():
    pair = AbbPair(connected=False)
    pair.brain.program.load("T_ROB1", "MODULE m\nPROC main()\nWaitTime 100;\nENDPROC\nENDMODULE", "m.mod", replace=True)
    pair.brain.start("once")
    with pytest.raises(ControllerError, match="another program"):
        pair.driver.connect()
    assert pair.brain.program.running
    pair.close()


def slowest_news_s(pair: AbbPair, seed: int) -> float:
    """How long the driver takes at most to notice motors that are switched off and on."""
    random, worst = np.random.default_rng(seed), 0.0
    for _ in range(6):
        for on in (False, True):
            pair.tick(int(random.integers(30, 60)))
            pair.brain.panel.set_motors(on=on)
            mode = "ready" if on else "off"
            worst = max(worst, pair.until(lambda mode=mode: pair.driver.state.mode == mode, mode))
    return worst


def test_what_changes_is_told_at_once_by_a_subscription_and_without_one_in_turn(monkeypatch: pytest.MonkeyPatch):
    pair = AbbPair()
    assert slowest_news_s(pair, 1) < 0.065
    pair.close()
    monkeypatch.setattr("openpendant.virtual.abb.services.rws_service.MOST_GROUPS", 0)
    pair = AbbPair()
    assert 0.065 < slowest_news_s(pair, 1) < 0.3
    pair.close()


def test_a_subscription_that_breaks_off_is_made_again(pair: AbbPair):
    pair.tick(300)
    pair.fault("drop", ports=(80,), seconds=0.2)
    pair.tick(100)
    pair.recover()
    pair.tick(1500)
    assert slowest_news_s(pair, 2) < 0.065


def test_a_second_driver_is_refused_and_disturbs_nobody():
    pair = AbbPair()
    rows = wave(pair, "arm", 0.3, 2.0)
    pair.driver.run(SampledPath("arm", rows))
    pair.tick(20)
    # The first driver is called while the second one connects.
    pair.clock.every(round(1e9 * TICK_S), lambda: pair.driver.poll(pair.clock.now_ns()))
    other = AbbDriver("robot", egm_port=7510, dialler=pair.dialler)
    with pytest.raises(ControllerError, match="another client drives"):
        other.connect()
    pair.until(lambda: pair.driver.progress("arm").over, "the end of the path", 5.0)
    assert pair.driver.progress("arm").finished, pair.driver.progress("arm").ended
    assert pair.plant() == pytest.approx(rows[-1], abs=1e-3)
    pair.close()


@pytest.mark.parametrize("option", ["616-1", "623-1"])
def test_a_missing_option_is_named(option: str):
    pair = AbbPair(options=[one for one in OPTIONS if not one.startswith(option)], connected=False)
    with pytest.raises(ControllerError, match=option):
        pair.driver.connect()
    pair.close()


def test_without_guided_motion_programs_still_run():
    pair = AbbPair(options=OPTIONS[:2])
    assert not pair.driver.capabilities.servo
    with pytest.raises(InputError):
        pair.driver.servo("arm", pair.plant())
    pair.driver.run(short_ride(pair, {"arm": 0.2}))
    pair.until(lambda: pair.driver.progress("arm").over, "the program")
    assert pair.driver.progress("arm").finished
    pair.until(lambda: pair.driver.state.can_move, "control")
    assert not pair.brain.program.running
    pair.close()


def test_a_missing_task_is_named():
    pair = AbbPair(tasks=IRB_TASKS[:1], connected=False)
    with pytest.raises(ControllerError, match="T_OPENPENDANT"):
        pair.driver.connect()
    pair.close()


def test_a_missing_signal_is_said():
    pair = AbbPair(signals=SIGNALS[:1], connected=False)
    with pytest.raises(ControllerError):
        pair.driver.connect()
    assert any("doLamp" in event.message for event in pair.driver.events())
    pair.close()


def test_a_wrong_password_is_said():
    pair = AbbPair(connected=False, password="wrong")
    with pytest.raises(ControllerError, match="password"):
        pair.driver.connect()
    pair.close()


def test_nobody_there_is_a_lost_link():
    pair = AbbPair(connected=False)
    pair.host.power_down("off")
    with pytest.raises(LinkError):
        pair.driver.connect()
    pair.close()


def test_a_reboot_is_recovered_from():
    pair = AbbPair()
    pair.fault("reboot", seconds=2.0)
    pair.until(lambda: not pair.driver.state.connected, "the loss", 1.0)
    pair.until(lambda: pair.driver.state.can_move, "recovery", 20.0)
    assert {"lost", "recovered"} <= set(pair.kinds())
    pair.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("this is no RAPID", "not a RAPID module"),
        ("MODULE m\n  PROC other()\n  ENDPROC\nENDMODULE\n", "no procedure main"),
        ("MODULE OpenPendant\n  PROC main()\n  ENDPROC\nENDMODULE\n", "belongs to OpenPendant"),
        ("MODULE m\n  PROC main()\n  ENDPROC\n  PROC op_job()\n  ENDPROC\nENDMODULE\n", "taken"),
    ],
)
def test_what_is_no_program_is_refused_before_anything_stops(pair: AbbPair, text: str, says: str):
    with pytest.raises(InputError, match=says):
        pair.driver.run(VendorText("rapid", "p.mod", text))
    assert pair.driver.state.can_move


def test_a_program_for_no_arm_is_refused(pair: AbbPair):
    with pytest.raises(InputError, match="T_ROB9"):
        pair.driver.run(moves("m", "", task="T_ROB9"))


def test_errors_of_a_program_are_told_with_its_own_lines(pair: AbbPair):
    pair.driver.run(
        moves(
            "wrong",
            "    WaitTime 0.05;\n    MoveAbsJ [[0,200,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]], v100, fine, tool0;\n",
        )
    )
    pair.until(lambda: pair.driver.progress("arm").over, "the end")
    ended = pair.driver.progress("arm").ended
    assert "50027" in ended
    assert "line 4" in ended
    assert "job failed" in pair.kinds()


def test_what_a_program_that_cannot_be_linked_lacks_is_told(pair: AbbPair):
    pair.driver.run(moves("unknown", "    MoveAbsJ nowhere, v100, fine, tool0;\n"))
    pair.until(lambda: pair.driver.progress("arm").over, "the end")
    assert "nowhere" in pair.driver.progress("arm").ended
    pair.recover()


def test_progress_goes_through_the_lines(pair: AbbPair):
    body = "".join(f"    MoveAbsJ {target}, v200, fine, tool0;\n" for target in zigzag(pair, 6))
    pair.driver.run(moves("lines", body))
    seen = []
    while not pair.driver.progress("arm").over:
        pair.tick()
        seen.append(pair.driver.progress("arm").done)
    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    assert pair.driver.progress("arm").finished


def zigzag(pair: AbbPair, count: int) -> list[str]:
    q = pair.driver.state.q["arm"]
    aside = [q + (0.15 if place % 2 else -0.15) * FIRST for place in range(count - 1)]
    return [jointtarget(one) for one in (*aside, q)]


def test_what_a_program_writes_into_the_event_log_is_a_message(pair: AbbPair):
    pair.driver.run(moves("writes", '    ErrWrite \\I, "tray is empty", "fill it";\n    WaitTime 0.3;\n'))
    pair.until(lambda: pair.driver.progress("arm").over, "the end")
    assert any("tray is empty" in event.message for event in pair.driver.events() if event.kind == "message")


def test_the_speed_of_the_pendant_is_told(pair: AbbPair):
    pair.brain.panel.set_speed(40.0)
    pair.until(lambda: pair.driver.state.speed == pytest.approx(0.4), "the speed", 3.0)
    pair.brain.panel.set_speed(100.0)
    pair.until(lambda: pair.driver.state.speed == pytest.approx(1.0), "the speed", 3.0)
