-- Messages with keys of Snowflake, and reactions that refer to them.

CREATE SEQUENCE snowflakes;
CREATE FUNCTION snowflake(at timestamptz DEFAULT clock_timestamp()) RETURNS bigint LANGUAGE sql VOLATILE
RETURN ms_of_time(at) - 1288834974657 << 22 | nextval('snowflakes') % 4096;

CREATE TABLE messages (
    id      bigint PRIMARY KEY DEFAULT snowflake(),
    name    text NOT NULL,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE reactions (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id bigint NOT NULL REFERENCES messages,
    changes    int NOT NULL DEFAULT 0
);
CREATE INDEX reactions_message_id_idx ON reactions (message_id);

INSERT INTO messages (id, name)
SELECT snowflake(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s'), 'message ' || n
FROM generate_series(1, 1000) n;
INSERT INTO reactions (message_id) SELECT id FROM messages, generate_series(1, 3);
