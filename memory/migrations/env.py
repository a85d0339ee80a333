"""Alembic's entry point: runs the steps on the connection that ``migrate.upgrade`` hands over."""

from alembic import context

from talekeeper.memory.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
