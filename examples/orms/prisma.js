// Prisma, by its adapter for node-postgres: ids by default and from the program, relations, times,
// and where Prisma loses kinds and ids.
import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import { Gid } from 'pg-gid';
import { gidFields } from 'pg-gid/prisma';
import { hourAgo, rejects, shows, soon } from './built/shows.js';

// libpq's variables say where the server is.
const db = new PrismaClient({ adapter: new PrismaPg({}) });
const ada = await db.customer.create({
	data: { name: 'Ada', orders: { create: [{ item: 'tea' }, { item: 'milk' }] } },
	include: { orders: { orderBy: { id: 'asc' } } },
});
const [tea, milk] = ada.orders;
shows('Prisma: nested create, and ids by default', new Gid(ada.id).kind === 'c' && new Gid(tea.id).kind === 'o' && tea.customerId === ada.id);
const butter = await db.order.create({ data: { id: Gid.new('o').text, item: 'butter', customerId: ada.id } });
shows('an id made by the program', (await db.order.findUnique({ where: { id: butter.id } })).item === 'butter');
const page = await db.order.findMany({ cursor: { id: tea.id }, skip: 1, take: 2, orderBy: { id: 'asc' } });
shows('a cursor, in order of time', page.map(order => order.item).join() === 'milk,butter');
shows('a list of ids', await db.order.count({ where: { id: { in: [tea.id, butter.id] } } }) === 2);

// A time compared with an id: a range of ids, or SQL with a cast.
const range = { gte: Gid.lowerBound('o', hourAgo).text, lt: Gid.lowerBound('o', soon).text };
shows('a range of ids', await db.order.count({ where: { id: range } }) === 3);
const recent = await db.$queryRaw`SELECT id, gid_timestamp(id) AS at FROM orders WHERE id >= ${hourAgo}::timestamptz`;
shows('a range of time, in SQL, and the time of an id', recent.length === 3 && recent.every(({ id, at }) => +at === +new Gid(id).time));
let refused = await db.order.count({ where: { id: { gte: hourAgo } } }).catch(error => error);
shows('a Date is rejected by Prisma', refused.name === 'PrismaClientValidationError');
refused = await db.$queryRaw`SELECT id FROM orders WHERE id >= ${hourAgo}`.catch(error => error);
shows(`a Date in SQL is rejected by the server: ${refused.meta.driverAdapterError.cause.hint}`, refused.meta.driverAdapterError.cause.code === '22P02');
refused = await db.order.create({ data: { item: 'an order is no customer', customerId: tea.id } }).catch(error => error);
shows(`a wrong kind is rejected: ${refused.message}`, refused.cause.code === '22023');

// With an extension, ids in results are Gid.  They are strings in parameters: TypeScript wants their text.
const typed = db.$extends(gidFields({ customer: { id: 'c' }, order: { id: 'o', customerId: 'c', relatedId: 'o?' } }));
const salt = await typed.order.create({ data: { item: 'sea salt', customerId: ada.id, relatedId: tea.id }, include: { customer: true } });
shows('fields of Gid', salt.id instanceof Gid && salt.customerId.text === ada.id && salt.relatedId.text === tea.id && salt.customer.id.equals(salt.customerId));
const first = await typed.order.findFirst({ where: { id: tea.id }, select: { relatedId: true, item: true } });
shows('NULL, and only the fields that are asked for', first.relatedId === null && Object.keys(first).sort().join() === 'item,relatedId');
shows('as a parameter', (await typed.order.findUnique({ where: { id: salt.id } })).id.equals(salt.id));
const wrongKind = await db.$extends(gidFields({ order: { id: 'c' } })).order.findFirst();
await rejects(() => wrongKind.id, () => typed.order.create({ data: { item: 'an order is no customer', customerId: tea.id } }),
	() => typed.order.findUnique({ where: { id: ada.id } }), () => typed.order.count({ where: { OR: [{ NOT: { id: { in: [tea.id, ada.id] } } }] } }),
	() => typed.order.createMany({ data: [{ item: 'milk', customerId: ada.id }, { item: 'milk', customerId: milk.id }] }));
shows('of a relation it is not: it finds nothing', await typed.order.count({ where: { customer: { id: tea.id } } }) === 0);

// What not to do: let migrate make the tables, or use a type that Prisma does not know.
const made = readFileSync('built/tables.sql', 'utf8');
shows('migrate would make columns of text: no kinds', made.includes(`"id" TEXT NOT NULL DEFAULT gid_new('o')`) && made.includes('"customer" TEXT NOT NULL'));
refused = await db.mistake.create({ data: { id: Gid.new('m').text, about: tea.id } }).catch(error => error);
shows('the client has no field of Unsupported("gid(o)")', refused.name === 'PrismaClientValidationError');

// What not to do: use another text of an id than the server's.
const both = (...ids) => Promise.all(ids.map(id => db.order.findUnique({ where: { id } })));
shows('findUnique by compact text finds nothing if Prisma combines two queries',
	(await both(new Gid(tea.id).compact, new Gid(milk.id).compact)).join() === ',' && (await both(tea.id, milk.id)).every(order => order));

// What not to do: let Prisma make the ids, or read arrays of them.
refused = await db.mistake.create({ data: {} }).catch(error => error);
shows(`@default(uuid()) is rejected: ${refused.message}`, refused.cause.code === '22P02');
refused = await db.mistake.create({ data: { id: Gid.new('m').text, orders: [tea.id, milk.id] } }).catch(error => error);
const [{ orders }] = await db.$queryRaw`SELECT orders::text[] FROM mistakes`;
shows('an array of ids is written, and can be read only in SQL', refused instanceof Error && orders.join() === [tea.id, milk.id].join());
await db.$disconnect();
