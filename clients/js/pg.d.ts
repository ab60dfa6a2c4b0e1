/**
 * The types of a pool or a client of node-postgres: ids in results are Gid, alone and in arrays, also of domains.
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
