"""Said where an arm is held by its gate, or a hand cannot move it further."""

__all__ = ["HOLDS"]

HOLDS = {
    "hold.old_setpoint": "the setpoint is {age_ms:.0f} ms old; allowed are {most_ms:.0f} ms",
    "hold.old_sample": "the sample is {age_ms:.0f} ms old; allowed are {most_ms:.0f} ms",
    "hold.early_sample": "the sample is stamped {early_ms:.0f} ms in the future",
    "hold.dead_man": "the dead-man switch is not held",
    "hold.jump": "joint {joint} should be {away_rad:.3g} away, {away_s:.2f} s at full speed",
    "hold.source_silent": "nothing from {source} for {silent_ms:.0f} ms; allowed are {most_ms:.0f}",
    "hold.robot_silent": "nothing from the robot for {silent_ms:.0f} ms",
    "hold.following": "joint {joint} is {off_rad:.3g} from where it was sent; allowed are {most_rad:.3g}",
    "hold.let_go": "{source} has let go",
    "hold.corridor": "{arm} is {away_rad:.3f} rad outside the corridor that was checked",
    "hold.something_touches": "something touches",
    "jog.stretched": "the arm is stretched: it cannot go further in this direction",
    "jog.singular": "the arm cannot go further in this direction: its joints are in line (singular)",
    "jog.barred": "the arm cannot go further in this direction: {why}",
    "jog.at_limit": "{joint} at its limit",
    "jog.near": "near {name}",
    "jog.interrupted": "the connection was interrupted; press again",
}
