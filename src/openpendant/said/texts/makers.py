"""What drivers, exports and dialects of makers say, in their words."""

MAKERS: dict[str, str] = {
    "accepts.urscript": "urscript and sampled paths",
    "robot.no_urscript": "program {program!r} is not a URScript program: use def name(): … end",
    "link.no_rtde": "the controller at {address} does not speak RTDE version 2",
    "export.configuration": "RAPID needs a configuration cf1 … cfx; this arm's is {label!r}",
    "export.arc_frames": "step {step}: both points of an arc must be in the same frame for RAPID",
    "export.arc_changes": "step {step} of {program} cannot be exported: its arc is not the same at every turn, and "
    "V+ has no circles, only points along the first one; use a step for each arc, or lines",
}
