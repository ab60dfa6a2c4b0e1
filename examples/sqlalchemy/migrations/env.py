"""Runs the migrations of versions/, for Alembic."""

from alembic import context
from sqlalchemy import create_engine

from models import Base  # imports pg_gid.sqlalchemy, by which gid is known to reflection

engine = create_engine(context.config.get_main_option("sqlalchemy.url"))
with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()
