/**
 * The types of a pool or a client of node-postgres: arrays of ids in results are arrays, also of domains. Ids that are
 * not in arrays require no set-up.
 *
 * `new pg.Pool({ ...config, types: await gidTypes(pg, config) })`
 *
 * It asks the server once for the OIDs of the types. Pass the config of the pool: without one it connects where
 * `new pg.Client()` connects, which is what libpq's variables name, or localhost.
 */
export function gidTypes<Types>(
	pg: { Client: new (config?: any) => any; TypeOverrides: new (types?: any) => Types },
	config?: any,
): Promise<Types>;
