"""What drivers, exports and dialects of makers say, in their words."""

MAKERS: dict[str, str] = {
    "accepts.urscript": "urscript and sampled paths",
    "robot.no_urscript": "program {program!r} is not a URScript program: use def name(): … end",
    "link.no_rtde": "the controller at {address} does not speak RTDE version 2",
    "accepts.rapid": "rapid and, with guided motion, sampled paths",
    "robot.rapid_fault": "program {program!r} is not a RAPID module that can run: {why}",
    "robot.no_rapid_main": "program {program!r} has no procedure main",
    "robot.rapid_taken": "program {program!r} is in a module {module}; that name belongs to OpenPendant",
    "robot.no_task": "there is no arm for {task!r}; its tasks are {known}",
    "wiring.too_many": "{count} inputs or outputs are wired; allowed: {most} of each",
    "link.login": "the controller at {address} does not accept this user and password",
    "link.refused": "the controller refuses: {why}",
    "link.no_mastership": "another client has the mastership of the controller, or its operator does not allow "
    "changes: {why}",
    "link.manual_mode": "the controller is in manual mode; turn its key to automatic",
    "link.other_driver": "another client drives the robot at {address}; close it first",
    "link.no_server": "the program of OpenPendant at {address} does not respond: {why}",
    "link.no_guidance": "guided motion of {arms} does not answer: is this computer's address in the controller's "
    "transmission protocols OpenPendant1 and OpenPendant2, and does a firewall let its datagrams in?",
    "link.no_option": "the controller at {address} lacks option {option}, which every connection needs",
    "link.no_egm": "the controller at {address} lacks option {option}: it runs programs, but cannot be jogged or moved "
    "along a path",
    "link.no_signal": "the controller has no signal named {signals}",
    "link.no_task": "the controller at {address} has no task {task}; it has {known}. Add it to its configuration",
    "link.ended_early": "the controller stopped the program",
    "export.configuration": "RAPID needs a configuration cf1 … cfx; this arm's is {label!r}",
    "export.arc_frames": "step {step}: both points of an arc must be in the same frame for RAPID",
    "export.arc_changes": "step {step} of {program} cannot be exported: its arc is not the same at every turn, and "
    "V+ has no circles, only points along the first one; use a step for each arc, or lines",
}
