// The arrays of gid, and of the domains over it: an array of a domain has an OID of its own.
export const TYPES = `
	WITH RECURSIVE types AS (
		SELECT oid, typarray FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) 'pg_catalog.gid'::pg_catalog.regtype
		UNION ALL
		SELECT d.oid, d.typarray FROM pg_catalog.pg_type d JOIN types ON d.typbasetype OPERATOR(pg_catalog.=) types.oid
		WHERE d.typtype OPERATOR(pg_catalog.=) 'd')
	SELECT typarray::int AS array FROM types`;
