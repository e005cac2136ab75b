"""The texts of every surface and page, in English and Simplified Chinese.

A surface asks a ``Catalog`` for a text by its key and never writes a sentence itself, so
that the two languages stay complete and equal (UX30). Texts of the other side are not
translated and not part of a catalog.
"""

from elicitkit.i18n.catalog import Catalog, catalog, language_from

__all__ = ["Catalog", "catalog", "language_from"]
