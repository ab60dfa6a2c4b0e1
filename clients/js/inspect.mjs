// Writes gid.js, on one line and without its comments, into inspect.html, and the hashes of the page's script and style
// into its Content-Security-Policy.  Run it after a change to either file: a browser does not let a page that was opened
// as a file import a module.
//
// This is .mjs, as its test is, so that it is no module of the package.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = new URL('inspect.html', import.meta.url);

// The page that belongs to a gid.js.
export function pageWith(module, page) {
	if (/<\/script|<!--/i.test(module)) throw new Error('gid.js has text that would end the script in inspect.html');
	const line = module.replace(/(^|\s)\/\/.*/g, '').replace(/\s*\n\s*/g, ' ').trim();
	page = page.replace(/(?<=^\/\/ gid\.js, .*\n).*/m, () => line);
	for (const name of ['script', 'style']) {
		const [, inside] = page.match(new RegExp(`<${name}[^>]*>([^]*?)</${name}>`));
		const hash = createHash('sha256').update(inside).digest('base64');
		page = page.replace(new RegExp(`(?<=; ${name}-src )[^;"]*`), `'sha256-${hash}'`);
	}
	return page;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	writeFileSync(PAGE, pageWith(readFileSync(new URL('gid.js', PAGE), 'utf8'), readFileSync(PAGE, 'utf8')));
