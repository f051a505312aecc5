"""Said where an arm is held by its gate, or a hand cannot move it further."""

HOLDS = {
    "hold.old_setpoint": "the setpoint is {age_ms:.0f} ms old; allowed: {most_ms:.0f} ms",
    "hold.old_sample": "the sample is {age_ms:.0f} ms old; allowed: {most_ms:.0f} ms",
    "hold.early_sample": "the sample's time stamp is {early_ms:.0f} ms in the future",
    "hold.dead_man": "the dead-man switch is not held",
    "hold.jump": "the setpoint of joint {joint} is {away_rad:.3g} rad away, {away_s:.2f} s at full speed",
    "hold.source_silent": "nothing received from {source} for {silent_ms:.0f} ms; allowed: {most_ms:.0f} ms",
    "hold.robot_silent": "nothing received from the robot for {silent_ms:.0f} ms",
    "hold.following": "joint {joint} is {off_rad:.3g} rad from its setpoint; allowed: {most_rad:.3g} rad",
    "hold.let_go": "{source} has let go",
    "hold.corridor": "{arm} is {away_rad:.3f} rad outside the corridor that was checked",
    "hold.something_touches": "something is in contact",
    "jog.stretched": "the arm is stretched: it cannot go further in this direction",
    "jog.singular": "the arm cannot go further in this direction: its joints are in line (singular)",
    "jog.barred": "the arm cannot go further in this direction: {why}",
    "jog.at_limit": "{joint} at its limit",
    "jog.near": "near {name}",
    "jog.interrupted": "the connection was interrupted; press again",
}
