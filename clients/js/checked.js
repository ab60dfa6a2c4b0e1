// For the modules of ORMs: ids as parameters next to a column of a kind.
import { Gid } from './gid.js';

const END = 2n ** 63n;	// later than any id

// The text of an id of a kind; without a kind, of any.  The first id above the kind can be the end of a range.
export function ofKind(value, kind) {
	const id = Gid.parse(value);
	return kind === undefined || id === Gid.lowerBound(kind, END) ? id : Gid.parse(id, kind);
}
