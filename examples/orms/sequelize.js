// Sequelize: ids by default and from the program, associations, arrays, times.
import { Gid } from 'pg-gid';
import { GID } from 'pg-gid/sequelize';
import { col, DataTypes, fn, literal, Op, Sequelize } from 'sequelize';
import { hourAgo, rejects, shows, soon } from './built/shows.js';

// libpq's variables say where the server is.
const { PGDATABASE, PGUSER, PGPASSWORD, PGHOST, PGPORT } = process.env;
const db = new Sequelize(PGDATABASE, PGUSER, PGPASSWORD, { dialect: 'postgres', host: PGHOST, port: PGPORT, logging: false });
const Customer = db.define('customer', {
	id: { type: GID('c'), primaryKey: true, defaultValue: literal(`gid_new('c')`) },
	name: { type: DataTypes.TEXT, allowNull: false },
	favourites: DataTypes.ARRAY(GID('o')),
}, { timestamps: false });
const Order = db.define('order', {
	id: { type: GID('o'), primaryKey: true, defaultValue: literal(`gid_new('o')`) },
	item: { type: DataTypes.TEXT, allowNull: false },
}, { timestamps: false });
Customer.hasMany(Order, { foreignKey: { name: 'customerId', allowNull: false } });
Order.belongsTo(Customer);

async function typeOf(table, column) {
	const [[{ type }]] = await db.query(`SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute
		WHERE attrelid = $1::regclass AND attname = $2`, { bind: [table, column] });
	return type;
}

await db.sync();
shows('Sequelize: columns have their kinds', await typeOf('orders', 'id') === 'gid(o)' && await typeOf('orders', 'customerId') === 'gid(c)'
	&& await typeOf('customers', 'favourites') === 'gid(o)[]');

const ada = await Customer.create({ name: 'Ada' });
const tea = await ada.createOrder({ item: 'tea' });
const butter = await Order.create({ id: Gid.new('o'), item: 'butter', customerId: ada.id });
shows('an id by default, and one made by the program', Gid.isValid(ada.id, 'c') && (await Order.findByPk(butter.id)).item === 'butter');
const many = await Order.bulkCreate(['salt', 'rice'].map(item => ({ item, customerId: ada.id })), { returning: true });
shows('many rows at once', many[0].id < many[1].id);
shows('a list of ids', await Order.count({ where: { id: [tea.id, butter.id] } }) === 2);
const [found] = await Customer.findAll({ include: Order });
shows('an association', found.orders.map(order => order.id).sort().join() === [tea, butter, ...many].map(order => order.id).sort().join());
ada.favourites = [null, tea.id];
await ada.save();
await ada.reload();
shows('an array of ids, with NULL', ada.favourites[0] === null && ada.favourites[1] === tea.id
	&& await Customer.count({ where: { favourites: [null, tea.id] } }) === 1
	&& await Customer.count({ where: { favourites: { [Op.contains]: [tea.id] } } }) === 1);
const [[{ kind }]] = await db.query('SELECT gid_kind(:id) AS kind', { replacements: { id: tea.id } });
shows('replacements', kind === 'o');
const [[bound]] = await db.query('SELECT gid_kind($id) AS kind', { bind: { id: tea.id } });
shows('bind', bound.kind === 'o');

// A Date compared with an id is a time.
shows('a range of time', await Order.count({ where: { id: { [Op.gte]: hourAgo, [Op.lt]: soon } } }) === 4);
shows('BETWEEN two times', await Order.count({ where: { id: { [Op.between]: [hourAgo, soon] } } }) === 4);
const [{ at }] = await Order.findAll({ attributes: [[fn('gid_timestamp', col('id')), 'at']], where: { id: tea.id }, raw: true });
shows('the time of an id', +at === +Gid.time(tea.id));

await db.sync({ alter: true });
shows('sync with alter keeps ids and kinds', (await Order.findByPk(tea.id)).item === 'tea' && await typeOf('orders', 'id') === 'gid(o)');
await rejects(() => Order.create({ item: 'an order is no customer', customerId: tea.id }),
	() => Order.update({ customerId: tea.id }, { where: { id: tea.id } }), () => Customer.update({ favourites: [ada.id] }, { where: { id: ada.id } }),
	() => Order.findByPk(ada.id), () => Order.count({ where: { id: { [Op.in]: [tea.id, ada.id] } } }));
await db.close();
