"""All of these move robots in real time."""

from live_folder import mark_folder

pytest_collection_modifyitems = mark_folder(__file__)
