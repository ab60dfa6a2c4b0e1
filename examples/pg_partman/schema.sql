CREATE EXTENSION gid;
CREATE SCHEMA partman;
CREATE EXTENSION pg_partman SCHEMA partman;

-- Of the types that hold an encoded time pg_partman knows uuid and text, by
-- their names.  So this domain has that name, in a schema of its own.
CREATE SCHEMA event_ids;
CREATE DOMAIN event_ids.uuid AS gid(e);

-- The encoder and the decoder.
CREATE FUNCTION event_ids.first_at(at timestamptz) RETURNS gid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN gid_lower_bound('e', at);
CREATE FUNCTION event_ids.time_of(id text) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN gid_timestamp(id::gid);

CREATE TABLE events (
    id   event_ids.uuid PRIMARY KEY DEFAULT gid_new('e'),
    body text
) PARTITION BY RANGE (id);
