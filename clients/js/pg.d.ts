/**
 * The types of a pool or a client of node-postgres: ids in results are Gid, alone and in arrays.
 *
 * `new pg.Pool({ ...config, types: await gidTypes(pg, config) })`
 *
 * It asks the server once for the number of the type, whose name may have a schema.
 */
export function gidTypes<Types>(
	pg: { Client: new (config?: any) => any; TypeOverrides: new (types?: any) => Types },
	config?: any,
	name?: string,
): Promise<Types>;
