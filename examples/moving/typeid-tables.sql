-- Users with keys of TypeID, and logins that refer to them.
CREATE FUNCTION typeid(at timestamptz DEFAULT clock_timestamp()) RETURNS text LANGUAGE sql VOLATILE
RETURN 'user_' || to_base32(B'00' || ms_of_time(at)::bit(48) || B'0111'
	|| (extract(microseconds FROM at AT TIME ZONE 'UTC')::bigint % 1000 * 4096 / 1000)::bit(12)
	|| B'10' || ('x' || left(md5(gen_random_uuid()::text), 16))::bit(62), '0123456789abcdefghjkmnpqrstvwxyz');

CREATE TABLE users (
	id text COLLATE "C" PRIMARY KEY DEFAULT typeid(),
	name text NOT NULL,
	changes int NOT NULL DEFAULT 0
);
CREATE TABLE logins (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	user_id text COLLATE "C" NOT NULL REFERENCES users,
	changes int NOT NULL DEFAULT 0
);
CREATE INDEX logins_user_id_idx ON logins (user_id);

INSERT INTO users (id, name)
SELECT typeid(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s'), 'user ' || n
FROM generate_series(1, 1000) n;
INSERT INTO logins (user_id) SELECT id FROM users, generate_series(1, 3);
