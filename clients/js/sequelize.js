// Sequelize 6: columns of gid(kind).  An id is a string there, since a primary
// key that is an object is not found by findByPk.
import { DataTypes } from 'sequelize';
import { Gid } from './gid.js';

// GID('o') is a column of gid(o), and GID() one of ids of any kind.
export const GID = kind => new GidType({ kind });

// DataTypes has functions that make types; what is extended is the class behind one.
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
		if (!(value instanceof Date)) new Gid(value);
		return true;
	}

	// Beside an id a text is read as an id, unless it says that it is a time.
	_stringify(value) {
		return value instanceof Date ? `'${value.toISOString()}'::timestamptz` : `'${new Gid(value)}'`;
	}

	_bindParam(value, { bindParam }) {
		return bindParam(String(value));
	}

	// What an array is made of, as a parameter.
	_value(value) {
		return String(value);
	}

	static parse(text) {
		return text;
	}
}

GidType.key = GidType.prototype.key = 'GID';
GidType.prototype.escape = false;	// by _stringify
GidType.types = { postgres: ['gid'] };
DataTypes.postgres.GID = GidType;	// so that arrays are read
