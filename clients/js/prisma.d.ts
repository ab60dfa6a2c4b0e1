import type { Gid, Kind } from './gid.js';

type Value<K> = K extends `${infer Of extends Kind}?` ? Gid<Of> | null : K extends Kind ? Gid<K> : never;

/**
 * An extension of a Prisma client: the named fields of results are `Gid`, each of its kind. A `?` after the kind is for a
 * field that can be null, as in the schema.
 *
 * `const db = new PrismaClient({ adapter }).$extends(gidFields({ order: { id: 'o', customerId: 'c', about: 'o?' } }));`
 *
 * An id of another kind is a RangeError when the program reads the field. Prisma's types of parameters stay strings, so
 * TypeScript does not check the kinds of parameters.
 */
export function gidFields<Models extends Record<string, Record<string, Kind | `${Kind}?`>>>(models: Models): {
	name: 'pg-gid';
	result: { [M in keyof Models]: { [F in keyof Models[M]]: {
		needs: { [Name in F]: true };
		compute: (row: { [Name in F]: Models[M][F] extends `${string}?` ? string | null : string }) => Value<Models[M][F]>;
	} } };
	query: { [M in keyof Models]: { $allOperations(call: { args: any; query: (args: any) => Promise<any> }): Promise<any> } };
};
