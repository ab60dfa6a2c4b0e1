"""Payments by gid, which makes created_at superfluous."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP, UUID

from pg_gid.sqlalchemy import GidType

revision = "0002"
down_revision = "0001"


def change_id(old, new, using, default):
    # A default is not converted with its column, so it goes first and comes back last.
    op.alter_column("payments", "id", server_default=None)
    op.alter_column("payments", "id", existing_type=old, type_=new, postgresql_using=using)
    op.alter_column("payments", "id", server_default=sa.text(default))


def upgrade():
    # A random uuid contains no time: each payment gets a new id with its creation time.
    change_id(UUID, GidType("p"), "gid_random('p', created_at)", "gid_new('p')")
    op.drop_column("payments", "created_at")


def downgrade():
    op.add_column("payments", sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.func.now()))
    op.execute("UPDATE payments SET created_at = gid_timestamp(id)")
    op.alter_column("payments", "created_at", nullable=False)
    change_id(GidType("p"), UUID, "id::uuid", "gen_random_uuid()")
