// Creates the tables.
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

const shop = sql`
	CREATE EXTENSION IF NOT EXISTS gid;
	CREATE DOMAIN customer_id AS gid(c);
	CREATE DOMAIN order_id AS gid(o);
	CREATE TABLE customers (
		id   customer_id PRIMARY KEY DEFAULT gid_new('c'),
		name text NOT NULL
	);
	CREATE TABLE orders (
		id       order_id PRIMARY KEY DEFAULT gid_new('o'),
		customer customer_id NOT NULL REFERENCES customers
	);
	CREATE INDEX ON orders (customer, id);
	CREATE TABLE cursors (consumer text, shard int, position gid NOT NULL, PRIMARY KEY (consumer, shard));`;

const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const migrations = { '1 shop': { up: async (db: Kysely<any>) => void await shop.execute(db) } };
const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
await db.destroy();
if (error) throw error;
