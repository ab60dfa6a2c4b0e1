// Sequelize 6: columns of gid(kind).
import { DataTypes } from 'sequelize';
import { ofKind } from './checked.js';

export const GID = kind => new GidType({ kind });

// DataTypes has functions that make types.  This extends the class behind one.
class GidType extends DataTypes.ABSTRACT.prototype.constructor {
	constructor(options) {
		super();
		this.options = options;
	}

	toSql() {
		const { kind } = this.options;
		return kind === undefined ? 'gid' : `gid(${kind})`;
	}

	validate(value) {
		if (!(value instanceof Date)) ofKind(value, this.options.kind);
		return true;
	}

	// Compared with an id, a literal without a type is read as an id.
	_stringify(value) {
		if (value === null) return 'NULL';	// in an array
		return value instanceof Date ? `'${value.toISOString()}'::timestamptz` : `'${ofKind(value, this.options.kind)}'`;
	}

	_bindParam(value, { bindParam }) {
		return bindParam(this._value(value));
	}

	// The elements of an array as a parameter.
	_value(value) {
		return value === null ? null : value instanceof Date ? value.toISOString() : ofKind(value, this.options.kind);
	}

	static parse = text => text;
}

GidType.key = GidType.prototype.key = 'GID';
GidType.prototype.escape = false;	// by _stringify
GidType.types = { postgres: ['gid'] };
DataTypes.postgres.GID = GidType;	// so that arrays are read
