"""An SDK that this package does not work with is refused by a sentence."""

import pytest

from elicitkit import versions
from elicitkit.versions import require


@pytest.mark.parametrize("found", ["2.3.0", "2.3.1rc1", "2.10.0"])
def test_a_supported_version_passes(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "version", lambda package: found)
    require("mcp", at_least=(2, 3), below=(3,))


@pytest.mark.parametrize("found", ["1.28.0", "2.2.0", "3.0.0", "3.0.0a1"])
def test_another_version_is_named_with_the_way_out(
    found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "version", lambda package: found)
    with pytest.raises(ImportError, match=f"{found} is installed: pip install 'mcp>=2.3,<3'"):
        require("mcp", at_least=(2, 3), below=(3,))


def test_a_missing_sdk_is_named_with_its_extra() -> None:
    with pytest.raises(ImportError, match=r"pip install 'elicitkit\[no-such-sdk\]'"):
        require("no-such-sdk", at_least=(1, 0), below=(2,))


@pytest.mark.parametrize("found", ["0.11.3", "0.13.0"])
def test_a_package_whose_extra_has_another_name_is_refused_by_both(
    found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "version", lambda package: found)
    sentence = f"elicitkit.s works with sdk>=0.12,<0.13, and {found}"
    with pytest.raises(ImportError, match=sentence):
        require("sdk", at_least=(0, 12), below=(0, 13), extra="s")


def test_a_missing_package_whose_extra_has_another_name_is_named_with_it() -> None:
    with pytest.raises(ImportError, match=r"elicitkit\.s needs no-such-sdk.*'elicitkit\[s\]'"):
        require("no-such-sdk", at_least=(1, 0), below=(2,), extra="s")
