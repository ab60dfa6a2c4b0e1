-- Seals ids: a keyed permutation of their 16 bytes, by AES.

CREATE EXTENSION gid;
CREATE EXTENSION pgcrypto;

CREATE SCHEMA sealing;
CREATE TABLE sealing.keys (
    number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key    bytea NOT NULL CHECK (length(key) = 16)
);
INSERT INTO sealing.keys (key) VALUES (gen_random_bytes(16));

BEGIN;
CREATE FUNCTION seal(id gid) RETURNS uuid
LANGUAGE sql STABLE STRICT PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (SELECT encode(encrypt(id::bytea, key, 'aes-ecb/pad:none'), 'hex')::uuid
        FROM sealing.keys ORDER BY number DESC LIMIT 1);

CREATE FUNCTION unseal(kind text, sealed uuid) RETURNS gid[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (SELECT coalesce(pg_catalog.array_agg(bytes::gid ORDER BY number DESC), '{}')
        FROM sealing.keys, decrypt(uuid_send(sealed), key, 'aes-ecb/pad:none') AS bytes,
             gid_prefix(gid_make(kind, timestamptz 'epoch', 0::bigint)) AS prefix
        WHERE get_byte(bytes, 0) = prefix AND get_byte(bytes, 7) IN (prefix, 255));
REVOKE EXECUTE ON FUNCTION seal(gid), unseal(text, uuid) FROM PUBLIC;
COMMIT;
