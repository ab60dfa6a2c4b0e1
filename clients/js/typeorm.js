// TypeORM: columns of gid(kind).  An id is a string there, since TypeORM takes
// an object for changed whenever it is another object.

const TYPE = 'gid';

// Tells a data source, before it is initialized, that there is such a type.
//
// TypeORM does not read the kind of a column from the database.  Left alone,
// synchronize and generated migrations would find every column changed, and
// drop it and add it again, empty or with other ids.  So kinds are not
// compared: who changes one writes the migration.
export function withGid(dataSource) {
	const { driver } = dataSource;
	if (driver.supportedDataTypes.includes(TYPE)) return dataSource;
	driver.supportedDataTypes.push(TYPE);
	driver.withLengthColumnTypes.push(TYPE);	// so a kind is written as a length is
	const { findChangedColumns } = driver;
	driver.findChangedColumns = function (tableColumns, columnMetadatas) {
		for (const column of tableColumns) {
			const metadata = columnMetadatas.find(({ databaseName }) => databaseName === column.name);
			if (column.type === TYPE && metadata) column.length = this.getColumnLength(metadata);
		}
		return findChangedColumns.call(this, tableColumns, columnMetadatas);
	};
	return dataSource;
}

// A column of gid(kind); without a kind, of ids of any kind.
export const gidColumn = kind => ({ type: TYPE, length: kind === undefined ? undefined : String(kind) });

// A primary key whose ids the server makes.
export const gidKey = kind => ({ ...gidColumn(kind), primary: true, default: () => `gid_new('${kind}')` });
