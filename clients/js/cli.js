#!/usr/bin/env node
// pg-gid ID ...: prints what gid_explain says of ids on the server.
import { text } from 'node:stream/consumers';
import { Gid } from './gid.js';

const USAGE = `Usage: pg-gid [--json] [ID ...]

Prints all that each id contains, as gid_explain does on the server. Times are in UTC.
Without an ID, reads ids from standard input, separated by white space.

  --json  print one JSON object per line
  --help  print this text
`;

// The columns of a row as psql -x shows them.
function expanded(row) {
	return Object.entries(row).map(([name, value]) => {
		if (name === 'time' || name === 'instant') value = value?.replace('T', ' ').replace('+00:00', '+00');
		return `${name.padEnd(11)} | ${value ?? ''}\n`;
	}).join('');
}

// The reader of a pipe can end first, as in "pg-gid <ids | head".
process.stdout.on('error', error => {
	if (error.code !== 'EPIPE') throw error;
	process.exit();
});

const args = process.argv.slice(2);
const options = args.filter(arg => arg.startsWith('-'));
let ids = args.filter(arg => !arg.startsWith('-'));
const unknown = options.find(option => option !== '--json' && option !== '--help');
if (unknown !== undefined) {
	process.stderr.write(`pg-gid: unknown option ${unknown}\n\n${USAGE}`);
	process.exitCode = 2;
} else if (options.includes('--help') || ids.length === 0 && process.stdin.isTTY)
	process.stdout.write(USAGE);
else {
	if (ids.length === 0) ids = (await text(process.stdin)).split(/\s+/).filter(Boolean);
	const json = options.includes('--json');
	let separator = '';
	for (const id of ids) {
		try {
			const row = Gid.explain(id);
			process.stdout.write(json ? `${JSON.stringify(row)}\n` : separator + expanded(row));
			separator = '\n';
		} catch (error) {
			process.stderr.write(`pg-gid: ${error.message}\n`);
			process.exitCode = 1;
		}
	}
}
