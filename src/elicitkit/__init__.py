"""Ask people typed questions over MCP and ACP, and answer them honestly.

Carriers are modules of their own: ``elicitkit.mcp``, ``elicitkit.fastmcp``,
``elicitkit.terminal``. Importing this package loads nothing else; a name is loaded when
it is first used (PEP 562), so that ``elicitkit --help`` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from elicitkit._version import __version__

if TYPE_CHECKING:
    from elicitkit.answering import Answerer
    from elicitkit.asking import Ask, Page, Question, Visit
    from elicitkit.core.errors import (
        ClickableUrl,
        ElicitationError,
        InvalidRequest,
        InvalidResponse,
        LimitExceeded,
        NoRequestInFlight,
        NotAccepted,
        NotDeterministic,
        OutcomeUnknown,
        PeerError,
        QuestionSwallowed,
        SchemaNotExpressible,
        SensitiveField,
        UnsafeUrl,
        UsageError,
    )
    from elicitkit.core.fields import Other
    from elicitkit.core.outcome import Accepted, Cancelled, Declined, Outcome, Unavailable
    from elicitkit.core.rendering import Choices

__all__ = [
    "Accepted",
    "Answerer",
    "Ask",
    "Cancelled",
    "Choices",
    "ClickableUrl",
    "Declined",
    "ElicitationError",
    "InvalidRequest",
    "InvalidResponse",
    "LimitExceeded",
    "NoRequestInFlight",
    "NotAccepted",
    "NotDeterministic",
    "Other",
    "Outcome",
    "OutcomeUnknown",
    "Page",
    "PeerError",
    "Question",
    "QuestionSwallowed",
    "SchemaNotExpressible",
    "SensitiveField",
    "Unavailable",
    "UnsafeUrl",
    "UsageError",
    "Visit",
    "__version__",
]

_HOMES = {
    "elicitkit.answering": ("Answerer",),
    "elicitkit.asking": ("Ask", "Page", "Question", "Visit"),
    "elicitkit.core.fields": ("Other",),
    "elicitkit.core.outcome": ("Accepted", "Cancelled", "Declined", "Outcome", "Unavailable"),
    "elicitkit.core.rendering": ("Choices",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'elicitkit' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF.get(name, "elicitkit.core.errors")), name)


def __dir__() -> list[str]:
    return __all__
