// Prisma: TypeScript knows the kinds of ids in results, and ids of parameters and results are of their kinds.
import { ofKind } from './checked.js';
import { Gid } from './gid.js';

// gidFields({ order: { id: 'o', about: 'o?' } }): an extension of a client.  "?" is for a field that can be null.
export const gidFields = models => ({
	name: 'pg-gid',
	result: mapped(models, fields => mapped(fields, (kind, field) => ({
		needs: { [field]: true },
		compute: row => kind.endsWith('?') && row[field] === null ? null : Gid.parse(row[field], kind.replace('?', '')),
	}))),
	query: mapped(models, fields => ({
		$allOperations: ({ args, query }) => query(checked(args, fields)),
	})),
});

// Looks at the fields of the model itself.  Those in a relation are another model's.
const INSIDE = ['where', 'data', 'create', 'update', 'cursor', 'having', 'AND', 'OR', 'NOT'];

function checked(args, fields) {
	if (Array.isArray(args)) return args.map(each => checked(each, fields));
	return isPlain(args) ? mapped(args, (value, name) => Object.hasOwn(fields, name) ? idsIn(value, fields[name].replace('?', ''))
		: INSIDE.includes(name) ? checked(value, fields) : value) : args;
}

// The ids in a value, as in { in: [id] }, as text.  What is not an id is for the server.
function idsIn(value, kind) {
	if (Array.isArray(value)) return value.map(each => idsIn(each, kind));
	return Gid.isValid(value) ? ofKind(value, kind) : isPlain(value) ? mapped(value, each => idsIn(each, kind)) : value;
}

const isPlain = value => value !== null && typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value));

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
