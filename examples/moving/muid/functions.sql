-- The id of a row with a muid, and the muid back.

CREATE TABLE medallions (
    number    int GENERATED ALWAYS AS IDENTITY (MINVALUE 0 MAXVALUE 16777215) PRIMARY KEY,
    medallion text NOT NULL UNIQUE
);

CREATE FUNCTION gid_of_muid(kind text, muid text) RETURNS gid LANGUAGE sql STABLE STRICT
RETURN (SELECT gid_from_muid(kind, overlay(muid PLACING to_hex(x'10000000000'::bigint + number) FROM 15 FOR 11))
        FROM medallions WHERE medallion = substr(muid, 15, 11));

CREATE FUNCTION muid_of(id gid) RETURNS text LANGUAGE sql STABLE STRICT
RETURN (SELECT overlay(gid_muid(id) PLACING medallion FROM 15 FOR 11) FROM medallions WHERE number = gid_medallion(id));
