"""A PostgreSQL server of one's own, for as long as it is wanted."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


class Server:
    """A running server, to be reached through a Unix socket in its folder."""

    def __init__(self, folder: str) -> None:
        #: The folder of its socket.
        self.folder = folder
        #: Its URL.
        self.url = f"postgresql://postgres@{folder.replace('/', '%2F')}/postgres"

    def run(self, sql: str) -> str:
        """What psql makes of it: rows as CSV, with the names of their columns."""
        words = [
            "psql",
            "-h",
            self.folder,
            "-U",
            "postgres",
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "--csv",
            "-f",
            "-",
        ]
        return subprocess.run(words, input=sql, text=True, check=True, capture_output=True).stdout


@contextmanager
def server() -> Iterator[Server]:
    """Starts a server and ends it. Its programs do not run as root; as root they run as the user
    postgres.
    """
    folders = glob.glob("/usr/lib/postgresql/*/bin") or [
        os.path.dirname(shutil.which("initdb") or "")
    ]
    programs = max(folders)
    assert programs, "install a PostgreSQL server first (on Debian: apt-get install postgresql)"
    folder = tempfile.mkdtemp(prefix="suum-postgres-")
    root = os.geteuid() == 0
    if root:
        shutil.chown(folder, "postgres")

    def program(*words: str) -> None:
        before = (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if root else []
        )
        subprocess.run([*before, *words], check=True, stdout=subprocess.DEVNULL, cwd=folder)

    data = f"{folder}/data"
    try:
        locale = ["-E", "UTF8", "--locale=C.UTF-8"]
        program(f"{programs}/initdb", "-D", data, "-A", "trust", "-U", "postgres", *locale)
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        program(
            f"{programs}/pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start"
        )
        try:
            yield Server(folder)
        finally:
            program(f"{programs}/pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
