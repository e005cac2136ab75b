"""Single-use records in SQL: SQLite for one machine, PostgreSQL for several replicas.

Taking a record is one ``INSERT`` on its primary key, so that the database decides who was
first, also after a crash. SQLAlchemy's asyncio engine is asyncio only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

try:
    from sqlalchemy import (
        Column,
        Float,
        Index,
        MetaData,
        String,
        Table,
        Text,
        delete,
        insert,
        select,
        update,
    )
    from sqlalchemy.exc import IntegrityError
    from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
    from sqlalchemy.schema import CreateIndex, CreateTable
except ImportError as error:
    raise ImportError(
        "elicitkit.stores.sql needs SQLAlchemy and aiosqlite: pip install 'elicitkit[sql]'"
    ) from error

from elicitkit.core.errors import UsageError

_RECORDS = Table(
    "elicitkit_once",
    MetaData(),
    Column("key", String(64), primary_key=True),
    Column("until", Float, nullable=False),
    Column("result", Text, nullable=False),
)
_UNTIL = Index("ix_elicitkit_once_until", _RECORDS.c.until)

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class SqlRecords:
    """Records for ``ask.once`` in a database, each until its time is over.

    Args:
        url: ``sqlite:///file.db`` or ``postgresql://...``; the async driver is chosen.
        clock: Seconds since the epoch.
    """

    def __init__(self, url: str, *, clock: Callable[[], float] = time.time) -> None:
        scheme, _, rest = url.partition(":")
        self._engine: AsyncEngine = create_async_engine(f"{_DRIVERS.get(scheme, scheme)}:{rest}")
        self._clock = clock
        self._ready = False

    async def take(self, key: str, *, ttl: float) -> str | None:
        """Take a free record (None), or tell what a taken one holds."""
        await self._prepare()
        now = self._clock()
        async with self._engine.begin() as connection:
            await connection.execute(delete(_RECORDS).where(_RECORDS.c.until <= now))
        values: dict[str, Any] = {"key": key, "until": now + ttl, "result": ""}
        try:
            async with self._engine.begin() as connection:
                await connection.execute(insert(_RECORDS).values(values))
        except IntegrityError:
            return await self._held(key)
        return None

    async def finish(self, key: str, result: str) -> None:
        """Store the result of a taken record."""
        await self._prepare()
        async with self._engine.begin() as connection:
            await connection.execute(
                update(_RECORDS).where(_RECORDS.c.key == key).values(result=result)
            )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._engine.dispose()

    async def _held(self, key: str) -> str:
        async with self._engine.connect() as connection:
            found = await connection.scalar(select(_RECORDS.c.result).where(_RECORDS.c.key == key))
        return found or ""

    async def _prepare(self) -> None:
        if self._ready:
            return
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise UsageError("SqlRecords needs asyncio: SQLAlchemy does not run on trio") from None
        # Twice: other tasks and processes may be at it in the same moment, and on PostgreSQL
        # IF NOT EXISTS fails for whoever loses, once the winner has committed.
        for _ in range(2):
            with suppress(IntegrityError):
                await self._create()
        self._ready = True

    async def _create(self) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(CreateTable(_RECORDS, if_not_exists=True))
            await connection.execute(CreateIndex(_UNTIL, if_not_exists=True))
