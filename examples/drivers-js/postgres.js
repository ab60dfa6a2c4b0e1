// postgres.js: first ids are strings, then, with gidType, they are Gid.
import { Gid } from 'pg-gid';
import { gidType } from 'pg-gid/postgres';
import postgres from 'postgres';

const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
// libpq's variables say where the server is, but not that PGHOST is a folder.
const config = process.env.PGHOST.startsWith('/') ? { path: `${process.env.PGHOST}/.s.PGSQL.${process.env.PGPORT}` } : {};
let sql = postgres(config);
const error = query => query.catch(error => error);
await sql`CREATE TABLE goods (id gid(g) PRIMARY KEY DEFAULT gid_new('g'), item text NOT NULL)`;

const [{ id: tea }, { id: milk }] = await sql`INSERT INTO goods ${sql([{ item: 'tea' }, { item: 'milk' }])} RETURNING id`;
const [{ ids }] = await sql`SELECT array_agg(id ORDER BY id) AS ids FROM goods WHERE id = ANY (${[tea, milk]})`;
shows('ids are strings, also in arrays', typeof tea === 'string' && ids.join() === [tea, milk].join());
shows('IN', (await sql`SELECT FROM goods WHERE id IN ${sql([tea, milk])}`).length === 2);
shows('sql.array of strings is text[]', (await error(sql`SELECT FROM goods WHERE id = ANY (${sql.array([tea])})`)).code === '42883');
const hourAgo = new Date(Date.now() - 3_600_000);
shows('a Date is a time', (await sql`SELECT FROM goods WHERE id >= ${hourAgo}`).length === 2);
const uncast = await error(sql`SELECT FROM goods WHERE id >= ${hourAgo.toISOString()}`);
shows('a time as a string requires a cast', uncast.code === '22P02');
await sql.end();

sql = postgres({ ...config, types: { gid: await gidType(postgres, config) } });
const many = Array.from({ length: 1000 }, (_, n) => ({ id: Gid.new('g'), item: `item ${n}` }));
const returned = await sql`INSERT INTO goods ${sql(many)} RETURNING id, gid_timestamp(id) AS time`;
shows('a thousand Gid', returned.every(({ id, time }, n) => id.equals(many[n].id) && +time === +id.time));
const [{ both }] = await sql`SELECT array_agg(id ORDER BY id) AS both FROM goods WHERE id = ANY (${[new Gid(tea), many[0].id]})`;
shows('an array of Gid', both.every(id => id instanceof Gid) && both.join() === [tea, many[0].id].join());
const [{ nulls, array }] = await sql`
	SELECT ${[many[0].id, null]}::gid[] AS nulls, ${sql.array([many[0].id], sql.options.types.gid.to)}::gid[] AS array`;
shows('NULL in an array, and sql.array', nulls[0].equals(many[0].id) && nulls[1] === null && array[0].equals(many[0].id));
shows('another kind is rejected', (await error(sql`INSERT INTO goods VALUES (${Gid.new('log')})`)).code === '22023');
await sql.end();
