"""The script that Alembic runs; the connection comes from `database.py`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
