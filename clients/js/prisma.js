// Prisma: ids in results are Gid.
import { Gid } from './gid.js';

// gidFields({ order: { id: 'o', about: 'o?' } }): an extension of a client.  "?" is for a field that can be null.
export const gidFields = models => ({
	name: 'pg-gid',
	result: mapped(models, fields => mapped(fields, (kind, field) => ({
		needs: { [field]: true },
		compute: row => kind.endsWith('?') && row[field] === null ? null : new Gid(row[field], kind.replace('?', '')),
	}))),
});

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
