// The tables.  Gid<'o'> is the id of an order, and no other id.
import { type Generated, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Gid } from 'pg-gid';

interface Tables {
	customers: { id: Generated<Gid<'c'>>; name: string };
	orders: { id: Generated<Gid<'o'>>; customer: Gid<'c'> };
}

// libpq's variables say where the server is.
export const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
