// Prisma, by its adapter for node-postgres: ids by default and from the program, relations, times.
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
shows('Prisma: nested create, and ids by default', Gid.isValid(ada.id, 'c') && Gid.isValid(tea.id, 'o') && tea.customerId === ada.id);
const butter = await db.order.create({ data: { id: Gid.new('o'), item: 'butter', customerId: ada.id } });
shows('an id made by the program', (await db.order.findUnique({ where: { id: butter.id } })).item === 'butter');
const page = await db.order.findMany({ cursor: { id: tea.id }, skip: 1, take: 2, orderBy: { id: 'asc' } });
shows('a cursor, in order of time', page.map(order => order.item).join() === 'milk,butter');
shows('a list of ids', await db.order.count({ where: { id: { in: [tea.id, butter.id] } } }) === 2);

// A time compared with an id: a range of ids, or SQL with a cast.
const range = { gte: Gid.lowerBound('o', hourAgo), lt: Gid.lowerBound('o', soon) };
shows('a range of ids', await db.order.count({ where: { id: range } }) === 3);
const recent = await db.$queryRaw`SELECT id, gid_timestamp(id) AS at FROM orders WHERE id >= ${hourAgo}::timestamptz`;
shows('a range of time, in SQL, and the time of an id', recent.length === 3 && recent.every(({ id, at }) => +at === +Gid.time(id)));

// With an extension, ids are checked, and TypeScript knows the kinds of those in results.
const typed = db.$extends(gidFields({ customer: { id: 'c' }, order: { id: 'o', customerId: 'c', relatedId: 'o?' } }));
const salt = await typed.order.create({ data: { item: 'sea salt', customerId: ada.id, relatedId: tea.id }, include: { customer: true } });
shows('fields of ids', Gid.isValid(salt.id, 'o') && salt.customerId === ada.id && salt.relatedId === tea.id && salt.customer.id === salt.customerId);
const first = await typed.order.findFirst({ where: { id: tea.id }, select: { relatedId: true, item: true } });
shows('NULL, and only the fields that are asked for', first.relatedId === null && Object.keys(first).sort().join() === 'item,relatedId');
shows('as a parameter', (await typed.order.findUnique({ where: { id: salt.id } })).id === salt.id);
const wrongKind = await db.$extends(gidFields({ order: { id: 'c' } })).order.findFirst();
await rejects(() => wrongKind.id, () => typed.order.create({ data: { item: 'an order is no customer', customerId: tea.id } }),
	() => typed.order.findUnique({ where: { id: ada.id } }), () => typed.order.count({ where: { OR: [{ NOT: { id: { in: [tea.id, ada.id] } } }] } }),
	() => typed.order.createMany({ data: [{ item: 'milk', customerId: ada.id }, { item: 'milk', customerId: milk.id }] }));
shows('of a relation it is not: it finds nothing', await typed.order.count({ where: { customer: { id: tea.id } } }) === 0);
await db.$disconnect();
