"""The library's schema, step by step, applied when a library is opened.

``REVISIONS`` lists them oldest first, so that an up-to-date library opens without loading Alembic.
"""

REVISIONS = ("r0001", "r0002")
