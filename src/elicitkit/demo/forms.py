"""What the demo asks: plain pydantic models, one for each question.

Together they hold every kind of field that a form can have. Titles and descriptions are
for the person; the names and constants are what the tool gets.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Final, Literal

from pydantic import AnyUrl, BaseModel, Field

from elicitkit.core.rendering import Choices

ROOMS: Final = {
    "sea": "Sea view (120 euros a night)",
    "garden": "Garden (90 euros a night)",
    "attic": "Attic (70 euros a night)",
}
EXTRAS: Final = {
    "breakfast": "Breakfast (12 euros a person and night)",
    "sauna": "An evening in the sauna (25 euros)",
    "bikes": "Bikes (15 euros a day each)",
}


class Guest(BaseModel):
    """Texts: plain, and of a format that both sides check."""

    name: str = Field(min_length=2, max_length=60, title="Name", description="For the booking.")
    email: str = Field(
        title="E-mail",
        description="Where the confirmation goes.",
        # The format alone. pydantic's EmailStr does as well, with one more package installed.
        json_schema_extra={"format": "email"},
    )
    voucher: str | None = Field(
        default=None,
        pattern="^[A-Z]{3}-[0-9]{4}$",
        title="Voucher",
        description="If you have one: three capital letters, a dash and four digits.",
    )
    page: AnyUrl | None = Field(
        default=None,
        title="Your page",
        description="If you come for an event: where we can read about it.",
    )


class Stay(BaseModel):
    """Dates, a whole number, yes or no, and both spellings of a single choice."""

    arrival: date = Field(title="Arrival")
    nights: int = Field(default=2, ge=1, le=14, title="Nights")
    beds: Literal["single", "double", "twin"] = Field(default="double", title="Beds")
    room: Annotated[str, Choices(ROOMS)] = Field(title="Room")
    pets: bool = Field(default=False, title="You bring a pet")
    pick_up: datetime | None = Field(
        default=None,
        title="Pick-up at the station",
        description="If you come by train: when it gets in.",
    )


class Extras(BaseModel):
    """A choice of several. What is left out is not taken, whatever was suggested."""

    extras: Annotated[list[str], Choices(EXTRAS)] = Field(default=[], title="Extras")


class ExtrasOneByOne(BaseModel):
    """The same for MCP 2025-06-18, whose forms have no choice of several."""

    breakfast: bool = Field(default=False, title=EXTRAS["breakfast"])
    sauna: bool = Field(default=False, title=EXTRAS["sauna"])
    bikes: bool = Field(default=False, title=EXTRAS["bikes"])


class Bikes(BaseModel):
    """Numbers; asked only of those who want bikes."""

    count: int = Field(default=1, ge=1, le=6, title="Number of bikes")
    height: float = Field(
        ge=1.0,
        le=2.2,
        title="Tallest rider, in metres",
        description="So that the frames fit. With a decimal point, such as 1.75.",
    )
