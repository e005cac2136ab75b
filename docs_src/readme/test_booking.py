import pytest
from booking import Trip, book

from elicitkit import Ask


@pytest.mark.anyio
async def test_books_what_was_answered():
    ask = Ask.scripted(Trip(nights=2), True)
    assert await book("Rome", ask=ask) == "Booked 2 nights in Rome."
