"""What a URL really is: one parse, and everything shown or opened is its serialisation.

Names:

- ``inspect_url``: the findings about a string that claims to be a URL
- ``Findings``, ``Verdict``, ``Level``: what comes of it
- ``LEVELS``: every reason code with its level; the codes are public API

Nothing here touches the network, not even DNS. The URL parser and the public suffix list
are loaded by the first inspection, not by this import.
"""

from elicitkit.core.urls.findings import LEVELS, Findings, Level, Verdict
from elicitkit.core.urls.inspection import inspect_url

__all__ = ["LEVELS", "Findings", "Level", "Verdict", "inspect_url"]
