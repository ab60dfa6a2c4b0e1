-- Edits with keys of muid, of seven medallions, and effects that refer to them.

CREATE FUNCTION muid(at timestamptz DEFAULT clock_timestamp(), medallion text DEFAULT '1BFC71B112D',
                     "offset" int DEFAULT (random() * 1000000)::int) RETURNS text LANGUAGE sql VOLATILE
RETURN upper(lpad(to_hex((extract(epoch FROM at AT TIME ZONE 'UTC') * 1000000)::bigint), 13, '0'))
       || '-' || medallion || '-' || lpad(upper(to_hex("offset")), 8, '0');

CREATE TABLE edits (
    id      text COLLATE "C" PRIMARY KEY DEFAULT muid(),
    name    text NOT NULL,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE effects (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    edit_id text COLLATE "C" NOT NULL REFERENCES edits,
    changes int NOT NULL DEFAULT 0
);
CREATE INDEX effects_edit_id_idx ON effects (edit_id);

INSERT INTO edits (id, name)
SELECT muid(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s',
            '1BFC71B112' || upper(to_hex(7 + n % 7)), n), 'edit ' || n
FROM generate_series(1, 1000) n;
INSERT INTO effects (edit_id) SELECT id FROM edits, generate_series(1, 3);
