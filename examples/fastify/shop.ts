// The tables.  Gid<'o'> is the id of an order, and no other id.
import { type Generated, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';

interface Tables {
	customers: { id: Generated<Gid<'c'>>; name: string };
	orders: { id: Generated<Gid<'o'>>; customer: Gid<'c'> };
}

// libpq's variables say where the server is.  Ids in results are Gid.
const config: pg.PoolConfig = {};
const pool = new pg.Pool({ ...config, types: await gidTypes(pg, config) });
export const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
