// node-postgres, and libraries that use it.  An id needs no set-up: it is a string in results and as a parameter.
import { TYPES } from './types.js';

const TEXT_ARRAY = 1009;	// in every database

// The OIDs of arrays of ids differ between databases, so this asks for them once, on a separate connection.
export async function gidTypes(pg, config) {
	const client = new pg.Client(config);
	await client.connect();
	try {
		const types = new pg.TypeOverrides(config?.types);
		for (const { array } of (await client.query(TYPES)).rows) types.setTypeParser(array, types.getTypeParser(TEXT_ARRAY));
		return types;
	} finally {
		await client.end();
	}
}
