"""Long scans: the lock is free, they can be interrupted, and they show how far they are."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest
import suum
from postgres_server import Server, server

SCHEMA = pyarrow.schema([("v", pyarrow.float64()), ("e", pyarrow.float64())])
BATCH = pyarrow.record_batch([[1.0] * 100, [0.5] * 100], schema=SCHEMA)
OPTIONS: dict[str, Any] = {"value": "v", "epsilon": "e", "bounds": (0, 10)}


class Endless:
    """Batches without end, until somebody has had enough."""

    def __init__(self) -> None:
        self.asked = 0
        self.ended = False

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return pyarrow.RecordBatchReader.from_batches(SCHEMA, self.batches()).__arrow_c_stream__()

    def batches(self) -> Any:
        while not self.ended:
            self.asked += 1
            time.sleep(0.001)
            yield BATCH


def interrupt(endless: Endless) -> None:
    while endless.asked < 20:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_ends_a_scan_in_memory() -> None:
    endless = Endless()
    other = threading.Thread(target=interrupt, args=[endless])
    other.start()
    with pytest.raises(KeyboardInterrupt):
        suum.mean(endless, **OPTIONS)
    other.join()
    asked = endless.asked
    time.sleep(0.05)
    assert endless.asked == asked, "nobody reads on"
    assert suum.mean([1, 2], epsilon=[1, 1], bounds=(0, 10)).estimate >= 0, "the next one works"


@pytest.mark.parametrize("name", ["people.csv.gz", "people.parquet"])
def test_an_interrupt_ends_a_scan_of_files(name: str, tmp_path: Path) -> None:
    """Many copies of a small file with many rows: reading them all would take minutes."""
    first = tmp_path / f"0{name}"
    if name.endswith("gz"):
        rows = b"1,0.5\n" * 1_000_000
        with gzip.open(first, "wb", compresslevel=1) as file:
            file.write(b"v,e\n")
            for _ in range(40):
                file.write(rows)
    else:
        import pyarrow.parquet

        million = pyarrow.table([[1.0] * 1_000_000, [0.5] * 1_000_000], schema=SCHEMA)
        with pyarrow.parquet.ParquetWriter(first, SCHEMA) as writer:
            for _ in range(40):
                writer.write_table(million)
    for copy in range(1, 200):
        shutil.copy(first, tmp_path / f"{copy}{name}")
    timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        suum.mean(tmp_path, **OPTIONS)


def test_other_threads_run_meanwhile() -> None:
    endless = Endless()
    seen: list[int] = []

    def count() -> None:
        for _ in range(50):
            seen.append(endless.asked)
            time.sleep(0.002)
        endless.ended = True

    other = threading.Thread(target=count)
    other.start()
    assert 0 <= suum.mean(endless, **OPTIONS).estimate <= 10
    other.join()
    assert len(set(seen)) > 3, "batches were read while the other thread counted"


def test_a_long_scan_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def shown(kind: type[io.StringIO] = io.StringIO, **options: Any) -> str:
        endless = Endless()
        timer = threading.Timer(1.5, lambda: setattr(endless, "ended", True))
        screen = kind()
        monkeypatch.setattr(sys, "stderr", screen)
        timer.start()
        suum.mean(endless, **OPTIONS, **options)
        timer.join()
        return screen.getvalue()

    said = shown(progress=True)
    assert "\rreading " in said and said.endswith("\r"), "the line is wiped out"
    assert shown() == "", "nobody is watching"
    assert "\rreading " in shown(Terminal), "somebody is watching"
    assert shown(Terminal, progress=False) == ""
    for neighbors in ["add-remove", "both"]:
        assert shown(progress=True, neighbors=neighbors, epsilon_range=(0.1, 1)) == "", (
            "participation is hidden"
        )


def test_a_short_scan_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    suum.mean([1, 2], epsilon=[1, 1], bounds=(0, 10), progress=True)
    assert capfd.readouterr().err == ""


def test_an_interrupt_ends_a_simulation() -> None:
    code = (
        "import os, signal, sys, threading, suum\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try: suum.simulate([0.0, 1.0], profile={0.1: 3400, 1: 100}, bounds=(0, 1), trials=10**9)\n"
        "except KeyboardInterrupt: sys.exit(5)\n"
    )
    # It would take hours.
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 5


def test_an_interrupt_does_not_wait_for_noise() -> None:
    """The bits of many records take minutes to be drawn. What was read before is no scan."""
    code = (
        "import os, signal, sys, threading, numpy, suum\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "values = numpy.arange(20_000_000) % 1000\n"
        "bins = list(range(0, 1001, 5))\n"
        "options = {'epsilon': 1.0, 'bins': bins, 'estimator': 'local', 'progress': False}\n"
        "suum.frequency(values[:1000], **options)\n"
        "threading.Timer(4, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try: suum.frequency(values, **options)\n"
        "except KeyboardInterrupt:\n"
        "    assert suum.mean([1, 2], epsilon=1.0, bounds=(0, 10)) >= 0, 'the next one works'\n"
        "    os._exit(5)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 5


#: Rows without end, or nearly so.
ROWS = {
    "sqlite3": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT 1.0 AS v, 0.5 AS e FROM n",
    "duckdb": "SELECT 1.0 AS v, 0.5 AS e FROM range(1000000000000000)",
}


@pytest.mark.parametrize(
    ("driver", "call"),
    [
        ("sqlite3", "suum.sql.levels(sqlite3.connect(':memory:'), query=rows, **options)"),
        ("duckdb", "suum.sql.levels(duckdb.connect(), query=rows, **options)"),
        ("duckdb", "suum.duckdb.levels(duckdb.connect(), query=rows, **options)"),
        ("duckdb", "suum.duckdb.levels(duckdb.sql(rows), **asked)"),
        ("duckdb", "suum.mean(duckdb.sql(f'{rows} WHERE hash(range) = 0'), **asked)"),
    ],
    ids=["sqlite", "duckdb as any", "duckdb", "relation", "relation as data"],
)
def test_an_interrupt_does_not_wait_for_an_engine(
    driver: str, call: str, tmp_path: Path
) -> None:
    code = (
        "import os, signal, sys, threading, suum, " + driver + "\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"rows = {ROWS[driver]!r}\n"
        "asked = {'value': 'v', 'epsilon': 'e', 'bounds': (0, 10)}\n"
        "options = {**asked, 'trust_query': True}\n"
        "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        f"try: {call}\n"
        "except KeyboardInterrupt:\n"
        "    assert suum.mean([1, 2], epsilon=1.0, bounds=(0, 10)) >= 0, 'the next one works'\n"
        "    assert signal.set_wakeup_fd(-1) == -1, 'it is as it was'\n"
        "    os._exit(5)\n"
    )
    # DuckDB writes beside itself.
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, check=False, timeout=120, cwd=tmp_path).returncode == 5


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with server() as running:
        yield running


@pytest.mark.parametrize(
    ("driver", "call"),
    [
        ("psycopg", "psycopg.connect(host=folder, user='postgres')"),
        ("pg8000.dbapi", "pg8000.dbapi.connect(user='postgres', unix_sock=socket)"),
        ("adbc_driver_postgresql.dbapi", "adbc_driver_postgresql.dbapi.connect(url)"),
        ("suum", ""),
    ],
)
def test_an_interrupt_does_not_wait_for_postgresql(
    driver: str, call: str, postgres: Server
) -> None:
    pytest.importorskip(driver)
    rows = "SELECT 1.0::float8 AS v, 0.5::float8 AS e FROM generate_series(1, 1000000000) AS n"
    asked = f"value='v', epsilon='e', bounds=(0, 10), query={rows!r}, trust_query=True"
    read = f"suum.sql.levels({call}, {asked})" if call else ""
    code = (
        f"import os, signal, sys, threading, suum, {driver}\n"
        "folder, socket, url = sys.argv[1:]\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        f"try: {read or f'suum.mean(url, {asked})'}\n"
        "except KeyboardInterrupt: os._exit(5)\n"
    )
    words = [postgres.folder, f"{postgres.folder}/.s.PGSQL.5432", postgres.url]
    command = [sys.executable, "-c", code, *words]
    # It would take minutes.
    assert subprocess.run(command, check=False, timeout=60).returncode == 5


#: Answers for which a release computes for long once all values are read: thousands of sums with
#: noise, and a search for bounds.
LONG = {
    "mixed": "[suum.quantile(values[:200_000], epsilon=budgets[:200_000], bounds=(0, 1000), "
    "q=0.5, estimator='mixed', cells=1_000_000, progress=False) for _ in range(999)]",
    "auto": "[suum.mean(values, epsilon=1.0, bounds='auto', progress=False) for _ in range(999)]",
}


@pytest.mark.parametrize("name", LONG)
def test_an_interrupt_does_not_wait_for_an_answer(name: str) -> None:
    code = (
        "import os, signal, threading, numpy, suum\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "values = numpy.arange(20_000_000) * 7919 % 1000003 / 1000\n"
        "budgets = numpy.arange(20_000_000) % 1000 / 1000 + 0.001\n"
        "threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        f"try: {LONG[name]}\n"
        "except KeyboardInterrupt: os._exit(5)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 5


def test_signals_are_seen_while_a_list_is_read() -> None:
    """The list is refused for its last item, before anything else is done."""
    seen: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        seen.clear()
        with pytest.raises(suum.DataError, match="numbers only"):
            suum.mean([1.5] * 6_000_000 + [object()], epsilon=1.0, bounds=(0, 10), progress=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(seen) > 12, "not before and after it alone"


def test_no_interrupt_is_lost_with_the_columns() -> None:
    """A signal that comes while a list is read, which takes most of the time of this call, and is
    looked at after all else is done: what lent the columns runs Python when it has them back.
    """
    fired, caught = 0, 0

    def handler(*_: object) -> None:
        nonlocal fired
        fired += 1
        raise KeyboardInterrupt

    values, budgets = numpy.ones(250_000), [1.5] * 250_000
    before = signal.signal(signal.SIGALRM, handler)
    try:
        for attempt in range(40):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.002 + attempt / 2000)
                suum.mean(values, epsilon=budgets, bounds=(0, 10), progress=False)
                time.sleep(1)
            except KeyboardInterrupt:
                caught += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert caught == fired == 40


class Memory:
    """Memory of three numbers, which notes by which thread it is given back."""

    def __init__(self, threads: list[int]) -> None:
        self.items, self.threads = numpy.ones(3), threads

    def __del__(self) -> None:
        self.threads.append(threading.get_ident())


class Lent:
    """A column in such memory."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        memory = Memory(self.threads)
        lent = pyarrow.foreign_buffer(memory.items.ctypes.data, memory.items.nbytes, base=memory)
        return pyarrow.Array.from_buffers(pyarrow.float64(), 3, [None, lent]).__arrow_c_array__()


@pytest.mark.parametrize(
    ("epsilon", "bounds"),
    [
        (1.0, (0, 10)),
        (numpy.ones(3), (0, 10)),
        (numpy.ones(3), (10, 0)),
        (numpy.ones(2), (0, 10)),
        ([1.0, 1.0, object()], (0, 10)),
    ],
    ids=["one budget", "column", "bounds refused", "too short", "no number"],
)
def test_columns_are_given_back_where_no_signal_is_looked_at(
    epsilon: Any, bounds: tuple[float, float]
) -> None:
    """By a thread of our own: an exception in the callback that gives them back would be lost."""
    lent = Lent()
    with suppress(suum.Error):
        suum.mean(lent, epsilon=epsilon, bounds=bounds)
    deadline = time.monotonic() + 10
    while not lent.threads and time.monotonic() < deadline:
        time.sleep(0.001)
    assert len(lent.threads) == 1
    assert threading.get_ident() not in lent.threads


def test_an_interrupt_within_an_item_is_one() -> None:
    class Item:
        def __float__(self) -> float:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        suum.mean([1.5, Item()], epsilon=1.0, bounds=(0, 10))


def test_calls_do_not_leave_threads_behind() -> None:
    def threads() -> int:
        suum.mean([1, 2], epsilon=[1, 1], bounds=(0, 10))
        return len(os.listdir("/proc/self/task"))

    before = threads()
    assert max(threads() for _ in range(50)) <= before


def test_a_forked_process_is_refused_and_does_not_wait_for_ever() -> None:
    code = (
        "import os, suum\n"
        "def used():\n"
        "    try: suum.count(epsilon=[1])\n"
        "    except suum.RequestError: return 3\n"
        "    return 4\n"
        "first = os.fork()\n"
        "if first == 0: os._exit(used())\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) == 4, "
        "'the parent had not used it'\n"
        "assert used() == 4\n"
        "second = os.fork()\n"
        "if second == 0: os._exit(used())\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(second, 0)[1]) == 3\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_a_ledger_in_a_forked_process_is_refused(tmp_path: Path) -> None:
    code = (
        "import os, sys, suum\n"
        "ledger = suum.Ledger.create(sys.argv[1], dataset='d', levels={'a': 1})\n"
        "def used(call):\n"
        "    try: call()\n"
        "    except suum.RequestError: return 3\n"
        "    return 4\n"
        "for call in [ledger.balance, lambda: suum.plan(profile={1: 3})]:\n"
        "    child = os.fork()\n"
        "    if child == 0: os._exit(used(call))\n"
        "    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "ledger")]
    subprocess.run(command, check=True, timeout=60)


def test_an_interrupt_does_not_wait_for_polars() -> None:
    """A lazy table is computed in seconds, and an interrupt ends the waiting at once."""
    code = (
        "import os, signal, threading, time, numpy, polars as pl, suum\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "values = pl.LazyFrame({'v': numpy.arange(20_000_000) * 7919 % 1000003})\n"
        "lazy = values.with_columns(pl.col('v').rank().cast(float))\n"
        "sent = []\n"
        "def send():\n"
        "    sent.append(time.perf_counter())\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(0.3, send).start()\n"
        "try: suum.mean(lazy, value='v', epsilon=1.0, bounds=(0, 10))\n"
        "except KeyboardInterrupt: os._exit(5 if time.perf_counter() - sent[0] < 0.6 else 6)\n"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, check=False, timeout=120).returncode == 5
