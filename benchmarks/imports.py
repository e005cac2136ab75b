"""What it costs to start: whole processes in turn, CPU seconds of the children, medians."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

RUNS = 9
SCRIPTS = Path(sys.executable).parent


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cpu(command: list[str]) -> float:
    before = _children()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return _children() - before


def _import(name: str) -> list[str]:
    return [sys.executable, "-c", f"import {name}"]


def main() -> None:
    """Print the median of each process and the ratios that matter."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    commands = {
        "python": [sys.executable, "-c", "pass"],
        "import pydantic": _import("pydantic.main"),
        "import elicitkit": _import("elicitkit"),
        "use elicitkit.Ask": [sys.executable, "-c", "from elicitkit import Ask"],
        "import mcp": _import("mcp"),
        "elicitkit --help": [str(SCRIPTS / "elicitkit"), "--help"],
        "mcp --help": [str(SCRIPTS / "mcp"), "--help"],
    }
    for command in commands.values():
        _cpu(command)
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            taken[name].append(_cpu(command))
    cost = {name: median(values) for name, values in taken.items()}
    for name, seconds in cost.items():
        print(f"{name:<20} {seconds * 1e3:7.1f} ms")
    ratio = cost["import elicitkit"] / cost["import mcp"]
    print(f"import elicitkit : import mcp        {ratio:.3f}   aim <= 0.10")
    over = (cost["import elicitkit"] - cost["import pydantic"]) * 1e3
    print(f"import elicitkit over import pydantic {over:.1f} ms   aim <= 40 ms")
    over = (cost["use elicitkit.Ask"] - cost["import pydantic"]) * 1e3
    print(f"its names in use over import pydantic {over:.1f} ms")
    ratio = cost["elicitkit --help"] / cost["mcp --help"]
    print(f"elicitkit --help : mcp --help        {ratio:.3f}   aim <= 0.10")


if __name__ == "__main__":
    main()
