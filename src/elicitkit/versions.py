"""Which SDKs this package can be carried by, said in a sentence where one cannot.

An older SDK would fail somewhere inside with an import error or, worse, behave otherwise.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


class UnfitSdk(ImportError):
    """An SDK is missing or of another version; the sentence says what to install."""


def require(
    package: str, *, at_least: tuple[int, int], below: tuple[int, ...], extra: str | None = None
) -> None:
    """Refuse to be imported beside an SDK that is missing, too old or too new.

    Args:
        package: The SDK, as it is installed.
        at_least: Major and minor number of the oldest that will do.
        below: The first that will not.
        extra: Our extra and module for it, where they have another name.

    Raises:
        UnfitSdk: The sentence names what is there and what to install.
    """
    extra = extra or package
    wanted = f"{package}>={_dotted(at_least)},<{_dotted(below)}"
    try:
        found = version(package)
    except PackageNotFoundError:
        raise UnfitSdk(
            f"elicitkit.{extra} needs {package}, which is not installed: "
            f"pip install 'elicitkit[{extra}]'"
        ) from None
    major, minor = (int(part) for part in found.split(".")[:2])
    if not at_least <= (major, minor) < below:
        raise UnfitSdk(
            f"elicitkit.{extra} works with {wanted}, and {found} is installed: "
            f"pip install '{wanted}'"
        )


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
