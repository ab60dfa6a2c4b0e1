// TypeORM: columns of gid(kind).
import { ofKind } from './checked.js';

const TYPE = 'gid';

// TypeORM does not read the kind of a column from the database.  A column without its kind differs from the column in the
// program, and TypeORM makes a column of another type by DROP COLUMN and ADD COLUMN, which loses the ids.  So this reads
// the kinds, and changes a kind by ALTER COLUMN, which checks the ids instead.
export function withGid(dataSource) {
	const { driver } = dataSource;
	if (driver.supportedDataTypes.includes(TYPE)) return dataSource;
	driver.supportedDataTypes.push(TYPE);
	driver.withLengthColumnTypes.push(TYPE);	// TypeORM writes a kind as it writes a length

	const { findChangedColumns, createQueryRunner } = driver;
	driver.findChangedColumns = function (tableColumns, columnMetadatas) {
		for (const column of tableColumns) {
			const metadata = columnMetadatas.find(({ databaseName }) => databaseName === column.name);
			if (column.type === TYPE && metadata) column.length = this.getColumnLength(metadata);
		}
		return findChangedColumns.call(this, tableColumns, columnMetadatas);
	};
	driver.createQueryRunner = function (mode) {
		return Object.assign(createQueryRunner.call(this, mode), { loadTables, changeColumn });
	};
	return dataSource;
}

// The methods of a query runner that differ from those of its class.
const inherited = (runner, name) => Object.getPrototypeOf(runner)[name];

async function loadTables(names) {
	const tables = await inherited(this, 'loadTables').call(this, names);
	for (const table of tables) {
		const columns = table.columns.filter(({ type }) => type === TYPE);
		if (columns.length === 0) continue;
		const rows = await this.query(`
			SELECT attname, pg_catalog.substring(pg_catalog.format_type(atttypid, atttypmod), '\\((.*)\\)') AS kind
			FROM pg_catalog.pg_attribute
			WHERE attrelid OPERATOR(pg_catalog.=) $1::pg_catalog.regclass AND attnum OPERATOR(pg_catalog.>) 0`,
			[this.escapePath(table)]);
		for (const column of columns) column.length = rows.find(({ attname }) => attname === column.name).kind ?? '';
	}
	return tables;
}

async function changeColumn(tableOrName, oldOrName, column) {
	const table = typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
	const old = typeof oldOrName === 'string' ? table.findColumnByName(oldOrName) : oldOrName;
	if (old?.type === TYPE && column.type === TYPE && old.isArray === column.isArray && old.length !== column.length) {
		const toType = ({ length, isArray }) => ({
			query: `ALTER TABLE ${this.escapePath(table)} ALTER COLUMN "${old.name}" TYPE ${this.driver.createFullType({ type: TYPE, length, isArray })}`,
		});
		await this.executeQueries([toType(column)], [toType(old)]);
		for (const each of [old, table.findColumnByName(old.name)]) if (each) each.length = column.length;
	}
	return inherited(this, 'changeColumn').call(this, table, oldOrName, column);
}

export const gidColumn = kind => ({
	type: TYPE,
	length: kind === undefined ? undefined : String(kind),
	// What is not a text is for the server.
	transformer: { from: value => value, to: value => typeof value === 'string' ? ofKind(value, kind) : value },
});

export const gidKey = kind => ({ ...gidColumn(kind), primary: true, default: () => `gid_new('${kind}')` });
