// postgres.js: with gidType, ids are Gid.
import { Gid } from 'pg-gid';
import { gidType } from 'pg-gid/postgres';
import postgres from 'postgres';

const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
// libpq's variables say where the server is, but not that PGHOST is a folder.
const config = process.env.PGHOST.startsWith('/') ? { path: `${process.env.PGHOST}/.s.PGSQL.${process.env.PGPORT}` } : {};
const sql = postgres({ ...config, types: { gid: await gidType(postgres, config) } });

const many = Array.from({ length: 1000 }, (_, n) => ({ id: Gid.new('g'), item: `item ${n}` }));
const returned = await sql`INSERT INTO goods ${sql(many)} RETURNING id, gid_timestamp(id) AS time`;
shows('a thousand Gid', returned.every(({ id, time }, n) => id.equals(many[n].id) && +time === +id.time));
const [tea, milk] = many.map(({ id }) => id);
const [{ ids }] = await sql`SELECT array_agg(id ORDER BY id) AS ids FROM goods WHERE id = ANY (${[tea, milk]})`;
shows('an array of Gid', ids.every(id => id instanceof Gid) && ids.join() === [tea, milk].join());
const [{ nulls, array }] = await sql`
	SELECT ${[tea, null]}::gid[] AS nulls, ${sql.array([tea], sql.options.types.gid.to)}::gid[] AS array`;
shows('NULL in an array, and sql.array', nulls[0].equals(tea) && nulls[1] === null && array[0].equals(tea));
const hourAgo = new Date(Date.now() - 3_600_000);
shows('a Date is a time', (await sql`SELECT FROM goods WHERE id >= ${hourAgo}`).length === 1000);
await sql.end();
