"""${message}"""

import sqlalchemy as sa
from alembic import op

import pg_gid.sqlalchemy

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade():
    ${upgrades or "pass"}


def downgrade():
    ${downgrades or "pass"}
