// node-postgres, and libraries that use it.  A Gid as a parameter needs no set-up.
import { Gid } from './gid.js';
import { TYPES } from './types.js';

const TEXT_ARRAY = 1009;	// in every database

// The OID of the type gid differs between databases, so this asks for it once, on a separate connection.
export async function gidTypes(pg, config) {
	const client = new pg.Client(config);
	await client.connect();
	try {
		const { rows } = await client.query(TYPES);
		const types = new pg.TypeOverrides(config?.types);
		const strings = types.getTypeParser(TEXT_ARRAY);
		for (const { oid, array } of rows) {
			types.setTypeParser(oid, text => new Gid(text));
			types.setTypeParser(array, text => gids(strings(text)));
		}
		return types;
	} finally {
		await client.end();
	}
}

const gids = array => array.map(item => item === null ? null : Array.isArray(item) ? gids(item) : new Gid(item));
