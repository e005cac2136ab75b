"""What a field is called when the server gave it no name of its own."""

import pytest

from elicitkit.core.fields import TextField
from elicitkit.i18n import catalog
from elicitkit.terminal.describe import Words


@pytest.mark.ux("UX12")
@pytest.mark.parametrize(("lang", "label"), [("en", "Your answer"), ("zh", "你的回答")])
def test_the_holder_of_a_single_value_is_called_your_answer(lang: str, label: str) -> None:
    """Ours: ``value`` is a key of the wire, not a word for a person."""
    words = Words(catalog(lang))
    assert words.label(TextField(name="value")) == label
    assert words.label(TextField(name="value", title="Price")) == "Price"
    assert words.label(TextField(name="values")) == "values"
