"""Likeness to a name that people know, and names that put one where it does not belong.

What belongs to a known name, or to a host that the person has used before, is exempt.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Final

from elicitkit.core.urls.addresses import is_address
from elicitkit.core.urls.brands import BAIT, DISTINCT, OWN_DOMAINS, SHORT, SHORTENERS, TENANTS
from elicitkit.core.urls.names import Name, is_shared, split
from elicitkit.core.urls.tables import skeleton

_NEAR: Final = range(6, 26)
"""Lengths of names for which one wrong letter counts; shorter ones have too many neighbours."""
_LONG_SUBDOMAIN: Final = 63
_MANY_LABELS: Final = 9
_MAX_VARIED: Final = 32
_VARIANTS: Final = 128

# Strokes through a letter are no marks to Unicode, and some letters are near enough.
_FOLD: Final = str.maketrans(
    "øłđıħŧßœæþðəқкпгтвмнщшωηκχετςԁԛԝ",
    "oldihtboapdekknrtbmhwwwnkxetcdqw",
)
_FORMS: Final = {"þ": ("p", "b"), "œ": ("oe", "ce"), "ł": ("l", "t")}
_ASCII_FOLD: Final = str.maketrans({"0": "o", "1": "l", "m": "rn"})

_GENERIC: Final = frozenset({"com", "net", "org", "edu", "gov"})
_BORROWED: Final = (DISTINCT | SHORT) - TENANTS
_STARTS: Final = tuple(BAIT)


def known_codes(name: Name, readable: str, known_hosts: Collection[str] = ()) -> Iterator[str]:
    """What there is to say about the names in a host.

    Args:
        name: The host in ASCII.
        readable: The host in Unicode.
        known_hosts: Hosts that the person has used before.
    """
    if name.registrable is None:
        return
    targets = _targets(frozenset(known_hosts))
    if name.registrable not in targets.domains:
        if _is_lookalike(_own_label(name, readable), targets):
            yield "lookalike"
        if _borrows(name):
            yield "subdomain_spoof"
        if len(name.subdomain) > _LONG_SUBDOMAIN or name.subdomain.count(".") >= _MANY_LABELS - 1:
            yield "long_host"
    if name.registrable in SHORTENERS:
        yield "shortener"
    if is_shared(name):
        yield "shared_hosting"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Targets:
    """What a name could be mistaken for."""

    domains: frozenset[str]
    names: frozenset[str]
    shapes: frozenset[str]
    near: frozenset[str]
    """The names that count when a single letter is wrong."""
    spoiled: frozenset[str]
    """These with one letter left out."""
    starts: frozenset[str]
    ends: frozenset[str]


@lru_cache(maxsize=16)
def _targets(hosts: frozenset[str]) -> _Targets:
    own = [split(host) for host in hosts if not is_address(host)]
    near = {name for name in (*DISTINCT, *(one.own for one in own)) if len(name) in _NEAR}
    names = SHORT | DISTINCT | {one.own for one in own if one.own}
    return _Targets(
        domains=OWN_DOMAINS | {one.registrable for one in own if one.registrable},
        names=names,
        shapes=frozenset(map(_shape, names)),
        near=frozenset(near),
        spoiled=frozenset(short for name in near for short in _spoil(name)),
        starts=frozenset(name[:2] for name in near),
        ends=frozenset(name[-3:] for name in near),
    )


def _own_label(name: Name, readable: str) -> str:
    """The label that somebody registered, in Unicode."""
    if not name.own.startswith("xn--"):
        return name.own
    return readable.split(".")[name.subdomain.count(".") + 1 if name.subdomain else 0]


def _is_lookalike(label: str, targets: _Targets) -> bool:
    if label in targets.names:
        return False
    forms = [label] if label.isascii() else [label, *_latin_forms(label)]
    return any(
        _shape(form) in targets.shapes or _is_near(form, targets) for form in forms
    ) or _is_baited(label)


def _shape(label: str) -> str:
    shape = label if label.isascii() else skeleton(label).lower()
    return shape.translate(_ASCII_FOLD)


def _latin_forms(label: str) -> Iterator[str]:
    """The label as somebody reads it who knows Latin letters only."""
    parts = unicodedata.normalize("NFD", label)
    bare = [char for char in parts if unicodedata.category(char) != "Mn"]
    varied = len(bare) <= _MAX_VARIED
    choices = [(char.translate(_FOLD), *(_FORMS.get(char, ()) if varied else ())) for char in bare]
    for form in islice(product(*choices), _VARIANTS):
        yield "".join(form)


def _spoil(label: str) -> list[str]:
    return [label[:at] + label[at + 1 :] for at in range(len(label))]


def _is_near(label: str, targets: _Targets) -> bool:
    """One letter more, fewer or other than a known name, or two that changed places."""
    # One slip leaves the first two letters or the last three as they are.
    if label[:2] not in targets.starts and label[-3:] not in targets.ends:
        return False
    shorter = _spoil(label)
    if label in targets.spoiled or not targets.near.isdisjoint(shorter):
        return True
    if targets.spoiled.isdisjoint(shorter):
        return False
    return any(_is_one_slip(label, name) for name in targets.near if len(name) == len(label))


def _is_one_slip(one: str, other: str) -> bool:
    """Whether two texts of one length differ in one letter, or in two that changed places."""
    wrong = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(wrong) == 2:
        first, second = wrong
        return second == first + 1 and one[first : second + 1] == other[first : second + 1][::-1]
    return len(wrong) == 1


def _is_baited(label: str) -> bool:
    """Whether a known name stands in it with a hyphen or with bait."""
    if "-" in label:
        parts = label.split("-")
        if not DISTINCT.isdisjoint(parts):
            return True
        return not SHORT.isdisjoint(parts) and not BAIT.isdisjoint(parts)
    if not label.startswith(_STARTS) and not label.endswith(_STARTS):
        return False
    rests = {label.removeprefix(bait) for bait in BAIT} | {
        label.removesuffix(bait) for bait in BAIT
    }
    return not rests.isdisjoint(DISTINCT | SHORT)


def _borrows(name: Name) -> bool:
    """Whether a known name, or the end of any, stands before the registrable domain."""
    before = name.subdomain
    if not before:
        return False
    labels = before.split(".")
    return (
        not _BORROWED.isdisjoint(before.replace("-", ".").split("."))
        or not _GENERIC.isdisjoint(labels[1:])
        or any(label.startswith("com-") for label in (*labels[1:], name.own))
    )
