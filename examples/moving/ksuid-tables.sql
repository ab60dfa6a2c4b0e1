-- Uploads with keys of KSUID, and shares that refer to them.
CREATE FUNCTION ksuid(at timestamptz DEFAULT clock_timestamp()) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	number numeric := extract(epoch FROM date_trunc('second', at)) - 1400000000;
	ksuid text := '';
BEGIN
	FOR byte IN 0 .. 15 LOOP
		number := number * 256 + get_byte(uuid_send(gen_random_uuid()), byte);
	END LOOP;
	FOR digit IN 1 .. 27 LOOP
		ksuid := substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 1 + (number % 62)::int, 1) || ksuid;
		number := div(number, 62);
	END LOOP;
	RETURN ksuid;
END $$;

CREATE TABLE uploads (
	id text COLLATE "C" PRIMARY KEY DEFAULT ksuid(),
	name text NOT NULL,
	changes int NOT NULL DEFAULT 0
);
CREATE TABLE shares (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	upload_id text COLLATE "C" NOT NULL REFERENCES uploads,
	changes int NOT NULL DEFAULT 0
);
CREATE INDEX shares_upload_id_idx ON shares (upload_id);

INSERT INTO uploads (id, name)
SELECT ksuid(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.321 s'), 'upload ' || n
FROM generate_series(1, 1000) n;
INSERT INTO shares (upload_id) SELECT id FROM uploads, generate_series(1, 3);
