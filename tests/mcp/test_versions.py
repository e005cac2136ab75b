"""An SDK that this package does not work with is refused by a sentence."""

import pytest

from elicitkit.mcp import versions
from elicitkit.mcp.versions import require


@pytest.mark.parametrize("found", ["2.3.0", "2.3.1rc1", "2.10.0"])
def test_a_supported_version_passes(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "version", lambda package: found)
    require("mcp", at_least=(2, 3), below=3)


@pytest.mark.parametrize("found", ["1.28.0", "2.2.0", "3.0.0", "3.0.0a1"])
def test_another_version_is_named_with_the_way_out(
    found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "version", lambda package: found)
    with pytest.raises(ImportError, match=f"{found} is installed: pip install 'mcp>=2.3,<3'"):
        require("mcp", at_least=(2, 3), below=3)


def test_a_missing_sdk_is_named_with_its_extra() -> None:
    with pytest.raises(ImportError, match=r"pip install 'elicitkit\[no-such-sdk\]'"):
        require("no-such-sdk", at_least=(1, 0), below=2)
