"""Which SDKs this package can be carried by, said in a sentence where one cannot.

An older SDK would fail somewhere inside with an import error or, worse, behave otherwise.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def require(package: str, *, at_least: tuple[int, int], below: int) -> None:
    """Refuse to be imported beside an SDK that is missing, too old or too new.

    Raises:
        ImportError: The sentence names what is there and what to install.
    """
    wanted = f"{package}>={at_least[0]}.{at_least[1]},<{below}"
    try:
        found = version(package)
    except PackageNotFoundError:
        raise ImportError(
            f"elicitkit.{package} needs {package}, which is not installed: "
            f"pip install 'elicitkit[{package}]'"
        ) from None
    major, minor = (int(part) for part in found.split(".")[:2])
    if not at_least <= (major, minor) < (below, 0):
        raise ImportError(
            f"elicitkit.{package} works with {wanted}, and {found} is installed: "
            f"pip install '{wanted}'"
        )
