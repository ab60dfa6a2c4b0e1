-- Events with keys of sno, and notes that refer to them.

CREATE SEQUENCE snos;
CREATE FUNCTION sno(at timestamptz DEFAULT clock_timestamp()) RETURNS text LANGUAGE sql VOLATILE
RETURN to_base32(((ms_of_time(at) - 1262304000000) / 4)::bit(39) || B'0' || 7::bit(8) || 258::bit(16)
                 || (nextval('snos') % 65536)::bit(16), '23456789abcdefghijklmnopqrstuvwx');

CREATE TABLE events (
    id      text COLLATE "C" PRIMARY KEY DEFAULT sno(),
    name    text NOT NULL,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE notes (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text COLLATE "C" NOT NULL REFERENCES events,
    changes  int NOT NULL DEFAULT 0
);
CREATE INDEX notes_event_id_idx ON notes (event_id);

INSERT INTO events (id, name)
SELECT sno(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.00321 s'), 'event ' || n
FROM generate_series(1, 1000) n;
INSERT INTO notes (event_id) SELECT id FROM events, generate_series(1, 3);
