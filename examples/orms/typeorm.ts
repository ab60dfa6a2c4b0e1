// TypeORM: ids by default and from the program, relations, times, and what synchronize and
// migrations do to columns of ids.
import 'reflect-metadata';
import { Gid } from 'pg-gid';
import { gidColumn, gidKey, withGid } from 'pg-gid/typeorm';
import { Column, DataSource, Entity, In, ManyToOne, MoreThanOrEqual, OneToMany, PrimaryColumn, Raw, type Relation, type TableColumn } from 'typeorm';
import { hourAgo, rejects, shows } from './shows.js';

@Entity('customers')
class Customer {
	@PrimaryColumn(gidKey('c'))
	id!: string;

	@Column('text')
	name!: string;

	@OneToMany(() => Order, order => order.customer, { cascade: true })
	orders!: Relation<Order>[];
}

@Entity('orders')
class Order {
	@PrimaryColumn(gidKey('o'))
	id!: string;

	@ManyToOne(() => Customer, customer => customer.orders, { nullable: false })
	customer!: Relation<Customer>;

	@Column({ ...gidColumn(), nullable: true })
	about!: string | null;

	@Column('text')
	item!: string;
}

// libpq's variables say where the server is.
const options = {
	type: 'postgres', host: process.env.PGHOST, port: Number(process.env.PGPORT), username: process.env.PGUSER,
	password: process.env.PGPASSWORD, database: process.env.PGDATABASE, synchronize: true,
} as const;
const connect = () => withGid(new DataSource({ ...options, entities: [Customer, Order] })).initialize();
let db = await connect();
const ada = await db.getRepository(Customer).save({ name: 'Ada', orders: [{ item: 'tea' }, { item: 'milk' }] });
const [tea, milk] = ada.orders as Order[];
shows('TypeORM: save, with what belongs to it', Gid.isValid(ada.id, 'c') && Gid.isValid(tea.id, 'o') && tea.id < milk.id);

// At its next start, synchronize finds nothing to do.
await db.destroy();
db = await connect();
const orders = db.getRepository(Order);
shows('synchronize changes nothing', (await db.driver.createSchemaBuilder().log()).upQueries.length === 0);
shows('synchronize keeps the ids', (await orders.find({ order: { id: 'ASC' } })).map(order => order.id).join() === [tea.id, milk.id].join());

const found = await orders.findOneOrFail({ where: { id: tea.id }, relations: { customer: true } });
shows('an id as a parameter, and a relation', found.item === 'tea' && found.customer.id === ada.id);
shows('a list of ids', (await orders.findBy({ id: In([tea.id, milk.id]) })).length === 2);
const butter = await orders.save({ id: Gid.new('o'), item: 'butter', customer: ada, about: milk.id });
shows('an id made by the program', (await orders.findOneByOrFail({ about: milk.id })).id === butter.id);

// Compared with an id, a parameter is read as an id, unless it says that it is a time.
const since = (date: Date) => Raw(id => `${id} >= :date::timestamptz`, { date });
shows('a range of time', (await orders.findBy({ id: since(hourAgo) })).length === 3);
shows('a range of ids works, too', (await orders.findBy({ id: MoreThanOrEqual(Gid.lowerBound('o', hourAgo)) })).length === 3);
await rejects(() => orders.save({ id: ada.id, item: 'a customer is no order', customer: ada }), () => orders.findBy({ id: ada.id }),
	() => orders.findBy({ id: In([tea.id, ada.id]) }), () => orders.update(ada.id, { item: 'milk' }), () => orders.findBy({ customer: { id: tea.id } }));

// A migration changes a column, and keeps its ids.
const runner = db.createQueryRunner();
async function stored(name: string): Promise<string> {
	const [{ is }] = await runner.query(`SELECT format_type(atttypid, atttypmod) || coalesce(', ' || col_description(attrelid, attnum), '') AS is
		FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname = $1`, [name]);
	return is;
}
async function changes(what: string, name: string, expected: string, change: (column: TableColumn) => void): Promise<void> {
	const rows = async () => JSON.stringify(await runner.query('SELECT o::text FROM orders o ORDER BY id'));
	const before = await rows();
	const table = (await runner.getTable('orders'))!;
	const to = table.findColumnByName(name)!.clone();
	change(to);
	await runner.changeColumn(table, name, to);
	shows(`changeColumn: ${what}`, await stored(to.name) === expected && await rows() === before);
}
await changes('a comment', 'customerId', 'gid(c), who pays', column => Object.assign(column, gidColumn('c'), { comment: 'who pays' }));
await changes('no kind', 'customerId', 'gid, who pays', column => column.length = '');
await changes('a name and a kind', 'about', 'gid(o)', column => Object.assign(column, { name: 'related', length: 'o' }));
const wrong: any = await changes('another kind', 'customerId', '', column => column.length = 'o').catch(error => error);
shows(`a kind that ids do not have is rejected: ${wrong.message}`, wrong.code === '22023' && await stored('customerId') === 'gid, who pays');
await runner.executeMemoryDownSql();
shows('and back', await stored('about') === 'gid' && await stored('customerId') === 'gid(c)');
await runner.query('ALTER TABLE orders ADD others gid(o)[]');
runner.clearSqlMemory();
(runner as any).loadedTables = [];
await changes('an array', 'others', 'gid[], a list', column => Object.assign(column, { comment: 'a list', length: '' }));

// As a migration has it.
const table = (await runner.getTable('orders'))!;
const about = table.findColumnByName('about')!.clone();
about.length = 'o';
await runner.changeColumn(table, 'about', about);
shows('a migration', await stored('about') === 'gid(o)' && (await orders.findOneByOrFail({ about: milk.id })).id === butter.id);
await runner.release();
await db.destroy();
