// The arrays of gid, and of the domains over it: an array of a domain has an OID of its own.
export const TYPES = `
	WITH RECURSIVE types AS (
		SELECT oid, typarray FROM pg_type WHERE oid = 'pg_catalog.gid'::regtype
		UNION ALL
		SELECT d.oid, d.typarray FROM pg_type d JOIN types ON d.typbasetype = types.oid WHERE d.typtype = 'd')
	SELECT typarray::int AS array FROM types`;
