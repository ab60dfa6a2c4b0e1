import type { Gid } from './gid.js';

/**
 * One of the types of a client of postgres.js: ids in results are Gid, alone and in arrays, also of domains.
 *
 * `postgres({ ...config, types: { gid: await gidType(postgres, config) } })`
 *
 * It asks the server once for the OIDs of the types. The arguments are those of `postgres`. Without them it connects
 * where `postgres()` connects: to what libpq's variables name, or to localhost.
 */
export function gidType(postgres: (...config: any[]) => any, ...config: any[]): Promise<{
	to: number;
	from: number[];
	serialize: (id: Gid | string) => string;
	parse: (text: string) => Gid | null;
}>;
