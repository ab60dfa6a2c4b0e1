-- Devices with keys of UUIDv7, and readings that refer to them.

CREATE FUNCTION uuid7(at timestamptz DEFAULT clock_timestamp()) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    micros bigint := extract(epoch FROM at) * 1000000;
BEGIN
    RETURN lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0')
        || right(replace(gen_random_uuid()::text, '-', ''), 16);
END $$;

CREATE TABLE devices (
    id      uuid PRIMARY KEY DEFAULT uuid7(),
    name    text NOT NULL,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE readings (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id uuid NOT NULL REFERENCES devices,
    changes   int NOT NULL DEFAULT 0
);
CREATE INDEX readings_device_id_idx ON readings (device_id);

INSERT INTO devices (id, name)
SELECT uuid7(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s'), 'device ' || n
FROM generate_series(1, 1000) n;
INSERT INTO readings (device_id) SELECT id FROM devices, generate_series(1, 3);
