"""A standalone cluster of Spark on loopback: a master, workers with a core each, and a session."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

HOST = "127.0.0.1"

#: Options of Java for machines that live a minute: most of their time would go into compiling
#: themselves thoroughly, and into collecting garbage on several threads.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def java_home() -> str:
    """The folder of Java 17 or newer: in JAVA_HOME, on the path, or where Debian puts it."""
    found = shutil.which("java")
    homes = [os.environ.get("JAVA_HOME"), found and str(Path(found).resolve().parents[1])]
    homes += sorted(str(path) for path in Path("/usr/lib/jvm").glob("*"))
    for home in homes:
        if home and _version(f"{home}/bin/java") >= 17:
            return home
    raise AssertionError(
        "Spark needs Java 17 or newer (on Debian: apt-get install openjdk-17-jre-headless)"
    )


def _version(java: str) -> int:
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    except (OSError, subprocess.CalledProcessError):
        return 0
    version = re.search(r'version "(\d+)', said)
    return int(version[1]) if version else 0


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        return int(taken.getsockname()[1])


@contextmanager
def _daemon(
    name: str, words: list[str], folder: Path, environment: dict[str, str]
) -> Iterator[None]:
    """A daemon of Spark; what it says goes to a file."""
    command = [
        f"{environment['SPARK_HOME']}/bin/spark-class",
        f"org.apache.spark.deploy.{name}",
        *words,
    ]
    with (folder / f"{name}-{time.monotonic_ns()}.log").open("w") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=folder
        )
    try:
        yield
    finally:
        # A worker takes its executors with it.
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_port(port: int) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError("the master of Spark did not start")


@contextmanager
def session(folder: Path, workers: int = 2, partitions: int = 2, java: str = "") -> Iterator[Any]:
    """A session on a cluster of its own, with all executors at hand from the first task on.

    ``java`` are options of every Java machine.
    """
    environment = {
        **os.environ,
        "JAVA_HOME": java_home(),
        "SPARK_HOME": pyspark.__path__[0],
        "SPARK_LOCAL_IP": HOST,
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_DAEMON_MEMORY": "256m",
        **({"SPARK_DAEMON_JAVA_OPTS": java} if java else {}),
        # Not needed, and its port would be a fixed one.
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
    }
    port = _free_port()
    master = ["--host", HOST, "--port", str(port), "--webui-port", "0"]
    with ExitStack() as running:
        running.enter_context(_daemon("master.Master", master, folder, environment))
        _await_port(port)
        for number in range(workers):
            own = [
                "--cores",
                "1",
                "--memory",
                "1g",
                "--work-dir",
                f"{folder}/worker-{number}",
                "--webui-port",
                "0",
            ]
            words = ["--host", HOST, *own, f"spark://{HOST}:{port}"]
            running.enter_context(_daemon("worker.Worker", words, folder, environment))
        os.environ.update(
            {
                name: environment[name]
                for name in ("JAVA_HOME", "SPARK_LOCAL_IP", "SPARK_LOCAL_DIRS")
            }
        )
        builder = SparkSession.builder.master(f"spark://{HOST}:{port}").appName("suum")
        for name, value in {
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.driver.memory": "512m",
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.cores.max": str(workers),
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "300s",
            "spark.sql.shuffle.partitions": str(partitions),
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
            "spark.ui.port": "0",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
            **{f"spark.{side}.extraJavaOptions": java for side in ("driver", "executor") if java},
        }.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        running.callback(spark.stop)
        yield spark


def tell(spark: Any, what: str) -> list[dict[str, Any]]:
    """What the driver tells of its executors or stages."""
    context = spark.sparkContext
    port = context.uiWebUrl.rpartition(":")[2].rstrip("/")
    url = f"http://{HOST}:{port}/api/v1/applications/{context.applicationId}/{what}"
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(50):
        with direct.open(url, timeout=300) as answer:
            text = answer.read()
        try:
            told: list[dict[str, Any]] = json.loads(text)
            return told
        except json.JSONDecodeError:
            # What it tells of can change while it is written.
            time.sleep(0.1)
    raise AssertionError("the driver of Spark tells nothing that can be read")
