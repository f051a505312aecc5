"""All of these drive controllers in real time, or are of what drivers are made of."""

from live_folder import mark_folder

VIRTUAL_TIME = {
    "test_abb_driver",
    "test_abb_stops",
    "test_address",
    "test_controlled_stops",
    "test_kinematic_robot",
    "ur/test_operating_watch",
    "ur/test_popup_watch",
    "ur/test_program_stop",
}

pytest_collection_modifyitems = mark_folder(__file__, VIRTUAL_TIME)
