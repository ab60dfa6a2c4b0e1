// gid from Prisma, by its adapter for node-postgres: ids by default and from the
// program, relations, cursors, times, and where Prisma loses kinds and ids.
import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import { Gid } from 'pg-gid';
import { gidFields } from 'pg-gid/prisma';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

// Where the server is, libpq's variables say.
const db = new PrismaClient({ adapter: new PrismaPg({}) });

const ada = await db.customer.create({
	data: { name: 'Ada', orders: { create: [{ item: 'tea' }, { item: 'milk' }] } },
	include: { orders: { orderBy: { id: 'asc' } } },
});
const [tea, milk] = ada.orders;
shows('nested create, and ids by default', new Gid(ada.id).kind === 'c' && new Gid(tea.id).kind === 'o' && tea.customerId === ada.id);
const many = await db.order.createManyAndReturn({ data: ['salt', 'rice'].map(item => ({ item, customerId: ada.id })) });
shows('many rows at once, and their ids increase', tea.id < milk.id && milk.id < many[0].id && many[0].id < many[1].id);
const page = await db.order.findMany({ cursor: { id: milk.id }, skip: 1, take: 2, orderBy: { id: 'asc' } });
shows('a cursor, in order of time', page.map(order => order.item).join() === 'salt,rice');
const butter = await db.order.create({ data: { id: Gid.new('o').text, item: 'butter', customerId: ada.id } });
shows('an id made by the program', (await db.order.findUnique({ where: { id: butter.id } })).item === 'butter');
shows('a list of ids', await db.order.count({ where: { id: { in: [tea.id, butter.id] } } }) === 2);
const found = await db.order.findMany({ where: { customer: { name: 'Ada' } }, include: { customer: true } });
shows('a relation', found.length === 5 && found.every(order => order.customer.id === ada.id));
const upsert = id => db.order.upsert({ where: { id }, create: { id, item: 'oil', customerId: ada.id }, update: { item: 'green tea' } });
shows('upsert', (await upsert(tea.id)).item === 'green tea' && (await upsert(Gid.new('o').text)).item === 'oil');

// A time compared with an id: a range of ids, or SQL with a cast.
const hourAgo = new Date(Date.now() - 3_600_000);
const soon = new Date(Date.now() + 60_000);
const range = { gte: Gid.lowerBound('o', hourAgo).text, lt: Gid.lowerBound('o', soon).text };
shows('a range of ids', await db.order.count({ where: { id: range } }) === 6);
const recent = await db.$queryRaw`SELECT id, gid_timestamp(id) AS at FROM orders WHERE id >= ${hourAgo}::timestamptz`;
shows('a range of time, in SQL', recent.length === 6);
shows('the time of an id', recent.every(({ id, at }) => +at === +new Gid(id).time));
let refused = await db.order.count({ where: { id: { gte: hourAgo } } }).catch(error => error);
shows('a Date is rejected by Prisma', refused.name === 'PrismaClientValidationError');
refused = await db.order.count({ where: { id: { gte: hourAgo.toISOString() } } }).catch(error => error);
shows(`the text of a Date is rejected by the server: ${refused.message}`, refused.cause.code === '22P02');
refused = await db.$queryRaw`SELECT id FROM orders WHERE id >= ${hourAgo}`.catch(error => error);
shows(`a Date in SQL is rejected by the server: ${refused.meta.driverAdapterError.cause.hint}`, refused.meta.driverAdapterError.cause.code === '22P02');

refused = await db.order.create({ data: { item: 'an order is no customer', customerId: tea.id } }).catch(error => error);
shows(`a wrong kind is rejected: ${refused.message}`, refused.cause.code === '22023');

// With an extension, ids in results are Gid.  They are strings in parameters: TypeScript wants their text.
const typed = db.$extends(gidFields({ customer: { id: 'c' }, order: { id: 'o', customerId: 'c', relatedId: 'o?' } }));
const salt = await typed.order.create({ data: { item: 'sea salt', customerId: ada.id, relatedId: tea.id }, include: { customer: true } });
shows('fields of Gid', salt.id instanceof Gid && salt.id.kind === 'o' && salt.customerId.text === ada.id && salt.relatedId.text === tea.id
	&& salt.customer.id.equals(salt.customerId));
const first = await typed.order.findFirst({ where: { id: tea.id }, select: { relatedId: true, item: true } });
shows('NULL, and only the fields that are asked for', first.relatedId === null && Object.keys(first).sort().join() === 'item,relatedId');
shows('JSON', JSON.parse(JSON.stringify(salt)).customer.id === ada.id && JSON.parse(JSON.stringify(first)).relatedId === null);
shows('as a parameter', (await typed.order.findUnique({ where: { id: salt.id.text } })).id.equals(salt.id)
	&& (await typed.order.findUnique({ where: { id: salt.id } })).id.equals(salt.id));
const wrongKind = await db.$extends(gidFields({ order: { id: 'c' } })).order.findFirst();
let misread;
try { wrongKind.id; } catch (error) { misread = error; }
shows(`a field of another kind is rejected: ${misread?.message}`, misread instanceof RangeError);
for (const query of [() => typed.order.create({ data: { item: 'an order is no customer', customerId: tea.id } }),
	() => typed.order.findUnique({ where: { id: ada.id } }), () => typed.order.count({ where: { OR: [{ NOT: { id: { in: [tea.id, ada.id] } } }] } }),
	() => typed.order.createMany({ data: [{ item: 'milk', customerId: ada.id }, { item: 'milk', customerId: milk.id }] })]) {
	refused = await query().catch(error => error);
	shows(`a parameter of another kind is rejected: ${refused.message}`, refused instanceof RangeError);
}
shows('of a relation it is not: it finds nothing', await typed.order.count({ where: { customer: { id: tea.id } } }) === 0);
shows('the end of a range without an end', await typed.order.count({ where: { id: { lt: Gid.lowerBound('o', 10n ** 30n).text } } }) > 0);
await db.order.delete({ where: { id: salt.id.text } });

// What not to do: let migrate make the tables.
const made = readFileSync('built/tables.sql', 'utf8');
shows('migrate would make columns of text: no kinds', made.includes(`"id" TEXT NOT NULL DEFAULT gid_new('o')`) && made.includes('"customer" TEXT NOT NULL'));
refused = await db.mistake.create({ data: { id: Gid.new('m').text, about: tea.id } }).catch(error => error);
shows('a field of Unsupported("gid(o)") has its kind, but the client has no such field',
	made.includes('"about" gid(o)') && refused.name === 'PrismaClientValidationError');

// What not to do: use another text of an id than the server's.
const one = id => db.order.findUnique({ where: { id } });
const compact = ({ id }) => new Gid(id).compact;
shows('the compact form finds a row', (await one(compact(tea))).id === tea.id);
shows('findUnique by compact text finds nothing if Prisma combines two queries', (await Promise.all([one(compact(tea)), one(compact(milk))])).join() === ',');
shows('findUnique by the canonical text finds rows if Prisma combines two queries', (await Promise.all([one(tea.id), one(milk.id)])).every(order => order));

// What not to do: let Prisma make the ids, or read arrays of them.
refused = await db.mistake.create({ data: {} }).catch(error => error);
shows(`@default(uuid()) is rejected: ${refused.message}`, refused.cause.code === '22P02');
refused = await db.mistake.create({ data: { id: Gid.new('m').text, orders: [tea.id, milk.id] } }).catch(error => error);
shows('an array of ids is written, but cannot be read', refused instanceof Error && await db.mistake.count({ where: { orders: { has: tea.id } } }) === 1);
const [{ orders }] = await db.$queryRaw`SELECT orders::text[] FROM mistakes`;
shows('it can in SQL, as text[]', orders.join() === [tea.id, milk.id].join());
await db.$disconnect();
