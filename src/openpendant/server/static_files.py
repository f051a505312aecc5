"""The built web client: its files, with the caching that suits them."""

import os
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>OpenPendant</title>
<h1>The web client is not built</h1>
<p>The server runs, but its page is missing. In a clone of the repository, build and start it with</p>
<pre>make run</pre>
<p>or reinstall the package with <code>pip install .</code>, without <code>OPENPENDANT_SKIP_WEB</code>.
The robots are at <a href="/api/robots">/api/robots</a>.</p>
"""


class ClientFiles(StaticFiles):
    """Files with a hash in their name never change; everything else is asked for again each time."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the file with its `Cache-Control`."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        hashed = str(scope["path"]).startswith("/assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if hashed else "no-cache"
        return response


def add_client(app: FastAPI, folder: Path = STATIC) -> None:
    """Serve the client in `folder` at `/`, or say plainly what to do where it has not been built."""
    if (folder / "index.html").is_file():
        app.mount("/", ClientFiles(directory=folder, html=True))
        return
    app.add_api_route("/", explain_missing_build, include_in_schema=False)


def explain_missing_build() -> HTMLResponse:
    """What to do where the client has not been built."""
    return HTMLResponse(NOT_BUILT, status_code=503, headers={"cache-control": "no-store"})
