// node-postgres, and what stands on it: ids in results are Gid, alone and in
// arrays.  As parameters they are so by themselves.
import { Gid } from './gid.js';

const TEXT_ARRAY = 1009;	// everywhere

// The types of a pool or a client.  CREATE EXTENSION gives gid another number
// in each database, so it is asked for once, on a connection of its own.
export async function gidTypes(pg, config, name = 'gid') {
	const client = new pg.Client(config);
	await client.connect();
	try {
		const { rows: [{ oid, typarray }] } = await client.query(
			'SELECT oid, typarray FROM pg_type WHERE oid = $1::regtype', [name]);
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
