"""`python -m openpendant.stop_service`: see `service`."""

from .service import main

main()
