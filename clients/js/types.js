// The type gid and the domains over it.  A result of a domain has the OID of gid, but an array of a domain has its own.
export const TYPES = `
	WITH RECURSIVE types AS (
		SELECT oid, typarray FROM pg_type WHERE oid = 'pg_catalog.gid'::regtype
		UNION ALL
		SELECT d.oid, d.typarray FROM pg_type d JOIN types ON d.typbasetype = types.oid WHERE d.typtype = 'd')
	SELECT oid::int, typarray::int AS array FROM types`;
