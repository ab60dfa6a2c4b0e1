// gid from TypeORM: ids by default and from the program, relations, times, and
// what synchronize does to the ids of those who do not tell it of the type.
import 'reflect-metadata';
import { Gid } from 'pg-gid';
import { gidColumn, gidKey, withGid } from 'pg-gid/typeorm';
import { Column, DataSource, Entity, EntitySchema, In, ManyToOne, MoreThanOrEqual, OneToMany, PrimaryColumn, Raw, type Relation, type TableColumn } from 'typeorm';

function shows(what: string, holds: boolean): void {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

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

// Where the server is, libpq's variables say.
const options = {
	type: 'postgres', host: process.env.PGHOST, port: Number(process.env.PGPORT), username: process.env.PGUSER,
	password: process.env.PGPASSWORD, database: process.env.PGDATABASE, synchronize: true,
} as const;

const setUp = await new DataSource({ ...options, synchronize: false }).initialize();
await setUp.query('CREATE EXTENSION gid; CREATE DOMAIN mistake_id AS gid(m)');
await setUp.destroy();

const connect = () => withGid(new DataSource({ ...options, entities: [Customer, Order] })).initialize();
let db = await connect();
const columns = await db.query(`
	SELECT attname, format_type(atttypid, atttypmod) AS type, pg_get_expr(adbin, adrelid) AS default
	FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
	WHERE attrelid = 'orders'::regclass AND attnum > 0 ORDER BY attname`);
shows('columns have their kinds', columns.map(({ type }: any) => type).join() === 'gid,gid(c),gid(o),text');
shows('the column has the default', columns[2].default === `gid_new('o'::text)`);

const customers = db.getRepository(Customer);
const ada = await customers.save({ name: 'Ada', orders: [{ item: 'tea' }, { item: 'milk' }] });
const [tea, milk] = ada.orders as Order[];
shows('save, with what belongs to it', new Gid(ada.id).kind === 'c' && new Gid(tea.id).kind === 'o' && tea.id < milk.id);

// At its next start, synchronize finds nothing to do.
await db.destroy();
db = await connect();
const orders = db.getRepository(Order);
const commands = (await db.driver.createSchemaBuilder().log()).upQueries;
shows('synchronize changes nothing', commands.length === 0);
shows('synchronize keeps the ids', (await orders.find({ order: { id: 'ASC' } })).map(order => order.id).join() === [tea.id, milk.id].join());

const found = await orders.findOneOrFail({ where: { id: tea.id }, relations: { customer: true } });
shows('an id as a parameter, and a relation', found.item === 'tea' && found.customer.id === ada.id);
shows('a list of ids', (await orders.findBy({ id: In([tea.id, milk.id]) })).length === 2);
shows('by the key of a relation', (await orders.findBy({ customer: { id: ada.id } })).length === 2);
found.item = 'green tea';
await orders.save(found);
shows('an update', (await orders.findOneByOrFail({ id: tea.id })).item === 'green tea');
const butter = await orders.save({ id: Gid.new('o').text, item: 'butter', customer: ada, about: milk.id });
shows('an id made by the program', (await orders.findOneByOrFail({ about: milk.id })).id === butter.id);
const { identifiers } = await orders.insert(['salt', 'rice'].map(item => ({ item, customer: ada })));
shows('many rows at once', identifiers.length === 2 && identifiers[0].id < identifiers[1].id);

// Compared with an id, a parameter is read as an id, unless it says that it is a time.
const hourAgo = new Date(Date.now() - 3_600_000);
const uncast = await orders.findBy({ id: MoreThanOrEqual(hourAgo as any) }).catch(error => error);
shows('a time without its type is rejected', uncast.code === '22P02');
const since = (date: Date) => Raw(id => `${id} >= :date::timestamptz`, { date });
shows('a range of time', (await orders.findBy({ id: since(hourAgo) })).length === 5);
shows('a range of ids works, too', (await orders.findBy({ id: MoreThanOrEqual(Gid.lowerBound('o', hourAgo).text) })).length === 5);
const { at } = await orders.createQueryBuilder('o').select('gid_timestamp(o.id)', 'at').where({ id: tea.id }).getRawOne();
shows('the time of an id', +at === +new Gid(tea.id).time);

for (const query of [() => orders.save({ id: ada.id, item: 'a customer is no order', customer: ada }),
	() => orders.findBy({ id: ada.id }), () => orders.findBy({ id: In([tea.id, ada.id]) }), () => orders.update(ada.id, { item: 'milk' }),
	() => orders.findBy({ customer: { id: tea.id } })]) {
	const refused = await query().catch(error => error);
	shows(`a wrong kind is rejected: ${refused.message}`, refused instanceof RangeError);
}
const related = await orders.save({ item: 'an order is no customer', customer: { id: tea.id } as Customer }).catch(error => error);
shows(`in a relation it is rejected by the server: ${related.message}`, related.code === '22023');
// A migration changes a column, and keeps its ids.
const runner = db.createQueryRunner();
async function changed(name: string, change: (column: TableColumn) => void): Promise<unknown> {
	const { column, about, comment, id, type } = await stored(name);
	const table = (await runner.getTable('orders'))!;
	const to = table.findColumnByName(name)!.clone();
	change(to);
	const error = await runner.changeColumn(table, name, to).catch(error => error);
	const after = await stored(to.name);
	return error ?? [after.type, after.comment, after.column === column && after.about === about && after.id === id ? 'kept' : 'lost', type === after.type ? 'same' : 'changed'].join();
}
async function stored(name: string) {
	const [row] = await runner.query(`
		SELECT format_type(atttypid, atttypmod) AS type, col_description(attrelid, attnum) AS comment,
			(SELECT array_agg(to_jsonb(orders) ->> attname ORDER BY id)::text FROM orders) AS column,
			(SELECT array_agg("customerId" ORDER BY id)::text FROM orders) AS about, (SELECT array_agg(id ORDER BY id)::text FROM orders) AS id
		FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname = $1`, [name]);
	return row;
}
shows('changeColumn: a comment', await changed('customerId', column => Object.assign(column, gidColumn('c'), { comment: 'who pays' })) === 'gid(c),who pays,kept,same');
shows('of a primary key', await changed('id', column => column.comment = 'key') === 'gid(o),key,kept,same');
shows('of ids of any kind', await changed('about', column => column.comment = 'see also') === 'gid,see also,kept,same');
shows('a kind, where all ids have it', await changed('about', column => column.length = 'o') === 'gid(o),see also,kept,changed');
shows('no kind', await changed('about', column => column.length = '') === 'gid,see also,kept,changed');
shows('a name', await changed('about', column => column.name = 'related') === 'gid,see also,kept,same');
shows('a name and a kind', await changed('related', column => Object.assign(column, { name: 'about', length: 'o' })) === 'gid(o),see also,kept,changed');
await runner.executeMemoryDownSql();
shows('synchronize changes the type back', (await stored('about')).type === 'gid' && (await stored('customerId')).comment === null);
const wrong: any = await changed('customerId', column => column.length = 'o');
shows(`a kind that ids do not have is rejected: ${wrong.message}`, wrong.code === '22023' && (await stored('customerId')).type === 'gid(c)');
shows('references survive', await orders.countBy({ customer: { id: ada.id } }) === 5);
await runner.query('ALTER TABLE orders ADD others gid(o)[]');
runner.clearSqlMemory();
(runner as any).loadedTables = [];
shows('an array', await changed('others', column => column.comment = 'a list') === 'gid(o)[],a list,kept,same'
	&& await changed('others', column => column.length = '') === 'gid[],a list,kept,changed');

// As a migration has it.
const table = (await runner.getTable('orders'))!;
const about = table.findColumnByName('about')!.clone();
about.length = 'o';
await runner.changeColumn(table, 'about', about);
shows('a migration', (await stored('about')).type === 'gid(o)' && (await orders.findOneByOrFail({ about: milk.id })).id === butter.id);
await runner.release();
await db.destroy();

// What not to do: make the type known without withGid, by its name or by that of a domain.
for (const type of ['gid(m)', 'mistake_id']) {
	const mistakes = new EntitySchema<{ id: string; item: string }>({
		name: 'mistake',
		tableName: `mistakes in ${type}`,
		columns: { id: { type: type as any, primary: true, default: () => `gid_new('m')` }, item: { type: 'text' } },
	});
	const start = () => {
		const db = new DataSource({ ...options, entities: [mistakes] });
		db.driver.supportedDataTypes.push(type as any);
		return db.initialize();
	};
	db = await start();
	const { id } = await db.getRepository(mistakes).save({ item: 'tea' });
	const migration = (await db.driver.createSchemaBuilder().log()).upQueries;
	await db.destroy();
	db = await start();
	const [after] = await db.getRepository(mistakes).find();
	shows(`a column of ${type} without withGid: the next start gives other ids`, after.item === 'tea' && after.id !== id);
	shows('as would a migration', migration.some(({ query }) => query.includes('DROP COLUMN "id"')));
	await db.destroy();
}
