// node-postgres, and libraries that use it.  A Gid as a parameter needs no set-up.
import { Gid } from './gid.js';

const TEXT_ARRAY = 1009;	// in every database

// The number of the type gid differs from database to database, so this asks for it once, on a separate connection.
export async function gidTypes(pg, config) {
	const client = new pg.Client(config);
	await client.connect();
	try {
		const { rows: [{ oid, typarray }] } = await client.query(
			"SELECT oid, typarray FROM pg_type WHERE oid = 'pg_catalog.gid'::regtype");
		const types = new pg.TypeOverrides(config?.types);
		const strings = types.getTypeParser(TEXT_ARRAY);
		types.setTypeParser(oid, text => new Gid(text));
		types.setTypeParser(typarray, text => gids(strings(text)));
		return types;
	} finally {
		await client.end();
	}
}

const gids = array => array.map(item => item === null ? null : Array.isArray(item) ? gids(item) : new Gid(item));
