-- Tickets with keys of ULID as text, and comments that refer to them.

CREATE FUNCTION ulid(at timestamptz DEFAULT clock_timestamp(),
                     random text DEFAULT left(md5(gen_random_uuid()::text), 20)) RETURNS text LANGUAGE sql VOLATILE
RETURN to_base32(B'00' || floor(extract(epoch FROM at) * 1000)::bigint::bit(48) || ('x' || random)::bit(80),
                 '0123456789ABCDEFGHJKMNPQRSTVWXYZ');

CREATE TABLE tickets (
    id      text COLLATE "C" PRIMARY KEY DEFAULT ulid(),
    name    text NOT NULL,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE comments (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticket_id text COLLATE "C" NOT NULL REFERENCES tickets,
    changes   int NOT NULL DEFAULT 0
);
CREATE INDEX comments_ticket_id_idx ON comments (ticket_id);

INSERT INTO tickets (id, name)
SELECT ulid(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s',
            left(md5((n / 5)::text), 16) || lpad(to_hex(n % 5), 4, '0')), 'ticket ' || n
FROM generate_series(1, 1000) n;
INSERT INTO comments (ticket_id) SELECT id FROM tickets, generate_series(1, 3);
