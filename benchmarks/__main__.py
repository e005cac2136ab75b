"""All benchmarks in one run: ``python benchmarks``. Ratios against a peer, never absolute aims."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

for name in ("check", "urls", "asking", "memory", "imports"):
    print(f"== {name}", flush=True)
    subprocess.run([sys.executable, str(HERE / f"{name}.py")], check=False)
