"""Customers, orders and bookings by gid; payments still by uuid."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP, TSTZRANGE, UUID, ExcludeConstraint

from pg_gid.sqlalchemy import GidArray, GidType, gid_key

revision = "0001"
down_revision = None


def upgrade():
    op.execute("CREATE EXTENSION IF NOT EXISTS gid")
    op.create_table(
        "customers",
        gid_key("c"),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("starred", GidArray("o"), nullable=False, server_default=sa.text("'{}'")),
    )
    op.create_table(
        "orders",
        gid_key("o"),
        sa.Column("customer_id", GidType("c"), sa.ForeignKey("customers.id"), nullable=False, index=True),
    )
    op.create_table(
        "lines",
        gid_key("l"),
        sa.Column("order_id", GidType("o"), sa.ForeignKey("orders.id"), nullable=False, index=True),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("quantity", sa.Integer, nullable=False),
    )
    op.create_table(
        "payments",
        sa.Column("id", UUID, primary_key=True, server_default=sa.text("gen_random_uuid()")),
        sa.Column("order_id", GidType("o"), sa.ForeignKey("orders.id"), nullable=False),
        sa.Column("cents", sa.Integer, nullable=False),
        sa.Column("created_at", TIMESTAMP(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    op.create_table(
        "bookings",
        gid_key("b"),
        sa.Column("room", GidType("r"), nullable=False),
        sa.Column("during", TSTZRANGE, nullable=False),
        ExcludeConstraint(("room", "="), ("during", "&&")),
    )


def downgrade():
    for table in "bookings", "payments", "lines", "orders", "customers":
        op.drop_table(table)
    op.execute("DROP EXTENSION gid")
