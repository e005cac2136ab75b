"""What a URL really is: one parse, and everything shown or opened is its serialisation.

Names:

- ``inspect_url``: the findings about a string that claims to be a URL
- ``Findings``, ``Verdict``, ``Level``: what comes of it
- ``CheckedUrl``, ``checked``: what may be opened of it
- ``rule_for``: a host that a person allows or denies, as it is compared
- ``LEVELS``: every reason code with its level; the codes are public API

Nothing here touches the network, not even DNS. The checks are loaded when ``inspect_url`` or
``rule_for`` is first looked up (PEP 562), the URL parser and the public suffix list by the
first inspection: whoever only passes findings on pays for neither.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from elicitkit.core.urls.checked import CheckedUrl, checked
from elicitkit.core.urls.findings import LEVELS, Findings, Level, Verdict

if TYPE_CHECKING:
    from elicitkit.core.urls.inspection import inspect_url
    from elicitkit.core.urls.rules import rule_for

__all__ = [
    "LEVELS",
    "CheckedUrl",
    "Findings",
    "Level",
    "Verdict",
    "checked",
    "inspect_url",
    "rule_for",
]

_LATER: Final = {"inspect_url": "inspection", "rule_for": "rules"}
"""Names that are looked up when they are used, and their modules."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"elicitkit.core.urls.{_LATER[name]}"), name)
    raise AttributeError(f"module 'elicitkit.core.urls' has no attribute {name!r}")
