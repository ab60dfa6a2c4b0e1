// gid from postgres.js: first with nothing set up, when an id is a string, as
// it is printed, and then with a class for ids.
import { Gid } from 'pg-gid';
import { gidType } from 'pg-gid/postgres';
import postgres from 'postgres';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

// libpq's variables say where the server is, but not that PGHOST is a folder.
const config = process.env.PGHOST.startsWith('/') ? { path: `${process.env.PGHOST}/.s.PGSQL.${process.env.PGPORT}` } : {};
const setUp = postgres(config);
await setUp`CREATE EXTENSION gid`;
await setUp`CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)`;
await setUp.end();

// The driver asks the server for the type of each parameter.  When it connects
// it asks for the types of arrays; so the extension has to be there before.
let sql = postgres(config);
const [{ id: tea }] = await sql`INSERT INTO orders (item) VALUES ('tea') RETURNING id`;
const [{ id: milk }] = await sql`INSERT INTO orders ${sql({ item: 'milk' })} RETURNING id`;
shows('a plain id is a string', typeof tea === 'string' && tea < milk);
const [found] = await sql`SELECT item FROM orders WHERE id = ${milk}`;
shows('a plain id as a parameter', found.item === 'milk');
const [{ ids }] = await sql`SELECT array_agg(id ORDER BY id) AS ids FROM orders WHERE id = ANY (${[tea, milk]})`;
shows('a plain array, there and back', ids.join() === [tea, milk].join());
const [{ count }] = await sql`SELECT count(*)::int FROM orders WHERE id IN ${sql([tea, milk])}`;
shows('IN', count === 2);
const typed = await sql`SELECT ${sql.array([tea])} = ARRAY[${tea}::gid] AS equal`.catch(error => error);
shows('sql.array of strings is text[]', typed.code === '42883');

// A Date says that it is a time.
const hourAgo = new Date(Date.now() - 3_600_000);
const recent = await sql`SELECT id FROM orders WHERE id >= ${hourAgo}`;
shows('a range of time', recent.length === 2);
const uncast = await sql`SELECT id FROM orders WHERE id >= ${hourAgo.toISOString()}`.catch(error => error);
shows('a time as a string is rejected', uncast.code === '22P02');
await sql.end();

// Set up: one of the client's types.
sql = postgres({ ...config, types: { gid: await gidType(postgres, config) } });
const [coffee] = await sql`INSERT INTO orders (item) VALUES ('coffee') RETURNING id`;
shows('an id is a Gid', coffee.id instanceof Gid && coffee.id > new Gid(milk));
const [same] = await sql`SELECT id, ${coffee.id}::gid::text AS text, gid_timestamp(id) AS time FROM orders WHERE id = ${coffee.id}`;
shows('a Gid as a parameter', same.id.equals(coffee.id) && same.text === String(coffee.id) && +same.time === +coffee.id.time);
const [{ both }] = await sql`SELECT array_agg(id ORDER BY id) AS both FROM orders WHERE id = ANY (${[new Gid(tea), coffee.id]})`;
shows('an array of Gid', both.every(id => id instanceof Gid) && both.join() === [tea, coffee.id].join());
const [{ array }] = await sql`SELECT ${sql.array([coffee.id], sql.options.types.gid.to)}::gid[] AS array`;
shows('sql.array with its type', array[0].equals(coffee.id));
const [{ nulls }] = await sql`SELECT ${[coffee.id, null]}::gid[] AS nulls`;
shows('NULL in an array', nulls[0].equals(coffee.id) && nulls[1] === null && nulls.length === 2);
shows('JSON', JSON.stringify(coffee) === `{"id":"${coffee.id}"}`);

// Ids can be made here, and a range of time be a range of ids.
const many = Array.from({ length: 1000 }, (_, n) => ({ id: Gid.new('o'), item: `item ${n}` }));
const returned = await sql`INSERT INTO orders ${sql(many)} RETURNING id`;
shows('a thousand rows', returned.every(({ id }, n) => id.equals(many[n].id)));
const range = await sql`SELECT id FROM orders WHERE id >= ${Gid.lowerBound('o', many[0].id.time)} AND id < ${Gid.upperBound('o', new Date())}`;
shows('a range of ids for a range of time', range.length === 1000);
let fetched = 0;
for await (const rows of sql`SELECT id FROM orders ORDER BY id`.cursor(100)) fetched += rows.filter(row => row.id instanceof Gid).length;
shows('a cursor', fetched === 1003);

const refused = await sql`INSERT INTO orders (id, item) VALUES (${Gid.new('log')}, 'a log')`.catch(error => error);
shows(`a wrong kind is rejected: ${refused.message}`, refused.code === '22023');
await sql.end();
