"""Create the tables."""

import sqlalchemy as sa
from alembic import op

from pg_gid.sqlalchemy import GidType, gid_key

revision, down_revision = "0001", None


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS gid")
    op.create_table("customers", gid_key("c"), sa.Column("name", sa.Text, nullable=False))
    customer = sa.Column("customer", GidType("c"), sa.ForeignKey("customers.id"), nullable=False)
    op.create_table("orders", gid_key("o"), customer)
    op.create_index("orders_customer_id_idx", "orders", ["customer", "id"])
    op.create_table(
        "cursors",
        sa.Column("consumer", sa.Text, primary_key=True),
        sa.Column("shard", sa.Integer, primary_key=True),
        sa.Column("position", GidType(), nullable=False),
    )
