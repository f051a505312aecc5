"""Samples: what the arms of a robot were sent and where they were measured, tick by tick, for whoever asks.

Whoever wants them publishes a `SampleRequest` on `<cell>/<robot>/watch`, again every half a second; as long as somebody
does, the robot publishes a `SampleBatch` on `<cell>/<robot>/sample` twenty times a second. Radians (metres where a
joint slides); stamps are nanoseconds of the monotonic clock that all processes of a machine share.
"""

from .bus import Doing
from .intent import Intent
from .wire import Wire


class SampleRequest(Wire, frozen=True, kw_only=True):
    """Somebody wants the samples of a robot, or no longer does; published, not answered."""

    reader: str
    """Unique for each stream that is read."""
    wanted: bool = True
    """False: no longer. A reader that does not repeat its request for two seconds is dropped."""


class SetpointOrigin(Wire, frozen=True, kw_only=True):
    """What setpoints came from."""

    doing: Doing
    """What moved the arm; 'stopping': they bring it to rest."""
    job: str
    """Id of the job; empty: there was none yet."""
    intent: Intent | None = None
    """That they follow, stamped with when its sample was taken; None: they follow none."""


class ArmSamples(Wire, frozen=True, kw_only=True):
    """One arm in a batch; every tuple has one entry for each tick."""

    q: tuple[tuple[float, ...] | None, ...]
    """Measured joints, of the state of `SampleBatch.states_ns`; None: the controller has reported none yet."""
    sent: tuple[tuple[float, ...] | None, ...]
    """The setpoint sent in that tick, as the driver has sent it; None: none was."""
    origins: tuple[int, ...]
    """Place of what it came from in `SampleBatch.origins`."""


class SampleBatch(Wire, frozen=True, kw_only=True):
    """Some consecutive ticks of one robot."""

    robot: str
    number: int
    """Of the first tick. Ticks are counted without requests too and across restarts of the process, so that a gap
    between two batches says how many are missing."""
    stamps_ns: tuple[int, ...]
    """When each tick began, which is when its setpoints were sent."""
    states_ns: tuple[int, ...]
    """When the controller's state was received that was the newest at that tick; 0: never."""
    arms: dict[str, ArmSamples]
    """By name of the arm."""
    origins: tuple[SetpointOrigin, ...]
