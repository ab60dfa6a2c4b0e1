// Compares inspect.html with Gid, in Debian's Chromium.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { Gid } from 'pg-gid';
import puppeteer from 'puppeteer-core';
import { pageWith } from './inspect.mjs';

const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');

function same(what, got, expected) {
	const is = JSON.stringify(got) === JSON.stringify(expected);
	console.log(`${is ? 'ok' : 'not ok'} - inspect.html: ${what}`);
	if (is) return;
	console.log(`# got      ${JSON.stringify(got)}\n# expected ${JSON.stringify(expected)}`);
	process.exitCode = 1;
}

const html = read('inspect.html');
same('it is what "node inspect.mjs" writes', html === pageWith(read('gid.js'), html), true);

// Answers every request, and remembers which ones there were.
const requested = [];
const server = createServer((request, response) => {
	requested.push(request.url.replace('?', ''));
	response.setHeader('Access-Control-Allow-Origin', '*').end();
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const elsewhere = `http://127.0.0.1:${server.address().port}`;

const url = new URL('inspect.html', import.meta.url).href;
const browser = await puppeteer.launch({ executablePath: '/usr/bin/chromium', pipe: true, timeout: 180_000, env: { ...process.env, HOME: tmpdir() },
	args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const problems = [];

async function open(fragment = '') {
	const tab = await browser.newPage();
	tab.on('request', request => request.url().startsWith(url) || problems.push(request.url()));
	tab.on('console', message => problems.push(message.text()));
	tab.on('pageerror', error => problems.push(error.message));
	await tab.goto(`${url}#${encodeURIComponent(fragment)}`);
	return tab;
}

// What the page shows.
const shown = tab => tab.evaluate(() => {
	const texts = (from, selector) => [...from.querySelectorAll(selector)].map(({ textContent }) => textContent);
	return {
		status: document.getElementById('status').textContent,
		ids: [...document.querySelectorAll('#results section')].map(section => ({
			title: section.querySelector('h2').textContent,
			reason: section.querySelector('.reason')?.textContent,
			explain: [...section.querySelectorAll('.explain tr')].map(row => texts(row, 'th, td')).filter(([name]) => name !== 'age'),
			hex: texts(section, '.hex').join(''),
			bits: texts(section, '.bits').join(''),
			drawn: [...new Set([...section.querySelectorAll('.field')].map(({ title }) => title))],
			fields: [...section.querySelectorAll('.fields tbody tr')].map(row => texts(row, 'th, td')),
			hasNote: section.querySelector('.note') !== null,
		})),
	};
});

// Types as a user does, in place of what is there.
async function type(tab, text) {
	await tab.$eval('#input', input => input.select());
	await tab.keyboard.sendCharacter(text);
	return shown(tab);
}

function expected(text) {
	const id = Gid.parse(text), bytes = Gid.bytes(id);
	const hex = Buffer.from(bytes).toString('hex');
	const fields = [['prefix', '0–7', String(Gid.prefix(id))], ['milliseconds', '8–55', String(Gid.time(id).getTime())],
		['byte 7', '56–63', String(bytes[7])]];
	if (Gid.instant(id) === null) fields.push(['payload', '64–127', `0x${hex.slice(16)}`]);
	else fields.push(['microseconds', '64–73', String(Gid.instant(id) % 1000n)],
		['medallion', '74–97', String(Gid.medallion(id))], ['offset', '98–127', String(Gid.offset(id))]);
	return {
		title: id,
		explain: Object.entries(Gid.explain(id)).filter(([name]) => name !== 'age').map(([name, value]) =>
			[name, value === null ? 'NULL' : name === 'node' ? `${value}, or random bits if gid.node was not set` : ['time', 'instant'].includes(name) ? value.replace('T', ' ').replace('+00:00', '+00') : String(value)]),
		hex,
		bits: [...hex].map(digit => parseInt(digit, 16).toString(2).padStart(4, '0')).join(''),
		drawn: fields.map(([name, bits]) => `${name}, bits ${bits.replace('–', ' to ')}`),
		fields,
		hasNote: bytes[7] === 255,
	};
}

function reasonOf(value) {
	try {
		return Gid.parse(value);
	} catch (error) {
		return error.message;
	}
}

// Sends requests in several ways, and says which of them the page's policy has blocked.
const sendRequests = (tab, count) => tab.evaluate(async (elsewhere, count) => {
	const blocked = new Set();
	document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.add(effectiveDirective));
	await fetch(`${elsewhere}/fetch`).catch(() => {});
	navigator.sendBeacon(`${elsewhere}/beacon`);
	const made = [['img', { src: `${elsewhere}/img` }], ['link', { rel: 'stylesheet', href: `${elsewhere}/style` }], ['iframe', { src: `${elsewhere}/iframe` }],
		['iframe', { name: 'frame' }], ['form', { action: `${elsewhere}/form`, target: 'frame' }]].map(([name, values]) => Object.assign(document.createElement(name), values));
	document.body.append(...made);
	made.at(-1).submit();
	for (let tries = 0; tries < 600 && blocked.size < count; tries++) await new Promise(resolve => setTimeout(resolve, 100));
	await new Promise(resolve => setTimeout(resolve, 500));
	return [...blocked].sort();
}, elsewhere, count);

try {
	const example = 'A4KfAtmq1H-43VMdfVBbxRrN';
	const graft = read('../../vectors/graft-minted.tsv').split('\n')[1].split('\t')[0];
	const edges = read('../../vectors/edges.tsv').split('\n').slice(1, -1).map(line => line.split('\t')[0]);
	const minted = Gid.new('segment');
	const tab = await open();
	same('the example', await shown(tab), { status: 'An example:', ids: [expected(example)] });
	same('many ids', await type(tab, edges.join('\n')), { status: `${edges.length} valid ids.`, ids: edges.map(expected) });
	await tab.goto(`${url}#${minted}`);
	same('the fragment changes', (await shown(tab)).ids, [expected(minted)]);
	const { uuid, compact } = Gid.explain(example);
	const hex = uuid.replaceAll('-', '');
	same('ids in a log, in every form', (await type(tab, `2026-11-21 18:42:23.001 UTC [417] ERROR:  duplicate key DETAIL: Key (id)=(${example}) exists
		{"a":"${compact}","b":["${uuid}",'\\\\x${hex}']} \\x${hex} ${hex.toUpperCase()} order-${minted}, /orders/${graft}?x
		4bf92f3577b34da6a3ce929d0e0e47361 AbstractFactoryBuilder 660CDB8A8103C-10000B06533-2E533387 127.0.0.1:5432`)).ids.map(({ title }) => title),
	[example, example, example, example, example, minted, graft]);
	const hundreds = Array.from({ length: 150 }, () => Gid.new('log'));
	same('not more than 100 are shown', (await type(tab, hundreds.join(' '))).status, '150 valid ids, the first 100 are shown.');
	const wrong = ['8H24TMQEGM-21Kj8kUFQLRh0', '8H24TMOEGM-21Kj8kUFQLRhg', 'zzzzzzzzzz-1111111111111', 'QiAcFZD6ehhV4ow9br80vJ'];
	const both = await type(tab, `${wrong.join(' ')} ${example}`);
	same('invalid ids have their reasons', [both.status, ...both.ids.map(({ reason }) => reason ?? null)], ['1 valid id, 4 invalid.', ...wrong.map(reasonOf), null]);

	// HTML, typed and in a fragment.
	const markup = `<img/src=x/onerror=document.title='run'><b/id=inserted>${example.slice(1)}</b><script>document.title='run'</script>`;
	const withMarkup = await open(markup);
	for (const [how, there, { ids: [{ title, reason }] }] of [['typed', tab, await type(tab, markup)], ['in a fragment', withMarkup, await shown(withMarkup)]])
		same(`HTML ${how} is inert`, [title, reason, ...await there.evaluate(() => [document.title, document.querySelectorAll('img, b, #results script').length])],
			[markup, reasonOf(markup), 'What is this gid?', 0]);
	same('nothing is stored', await tab.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, '']);
	same('nothing is requested or reported', problems, []);

	same('insertAdjacentHTML is an error', await tab.evaluate(() => {
		try { document.body.insertAdjacentHTML('beforeend', '<b>'); } catch { return true; }
	}), true);
	same('its policy blocks requests', [await sendRequests(tab, 5), requested], [['connect-src', 'form-action', 'frame-src', 'img-src', 'style-src-elem'], []]);
	const unprotected = await browser.newPage();
	await unprotected.setContent(html.replace(/<meta http-equiv="Content-Security-Policy".*\n/, ''));
	await sendRequests(unprotected, 0);
	for (let tries = 0; tries < 600 && requested.length < 6; tries++) await new Promise(resolve => setTimeout(resolve, 100));
	same('without the policy the same requests arrive', requested.sort(), ['/beacon', '/fetch', '/form', '/iframe', '/img', '/style']);

	const phone = await open();
	await phone.setViewport({ width: 320, height: 640, deviceScaleFactor: 2, isMobile: true });
	await type(phone, `${minted} ${graft} ${wrong[0]}`);
	same('it fits into 320 pixels, and no digit is cut off', await phone.evaluate(() => {
		const { right } = document.querySelector('main').getBoundingClientRect();
		const wide = [...document.querySelectorAll('.word')].filter(word => word.lastChild.getBoundingClientRect().right > right + 1);
		const cut = [...document.querySelectorAll('.bits, .hex')].filter(line => {
			const last = document.createRange();
			last.setStart(line.firstChild, line.textContent.length - 1);
			return last.getBoundingClientRect().left + 0.6 * parseFloat(getComputedStyle(line).fontSize) > line.getBoundingClientRect().right;
		});
		return [innerWidth, document.documentElement.scrollWidth, wide.length, cut.length];
	}), [320, 320, 0, 0]);
} finally {
	await browser.close();
	server.close();
	server.closeAllConnections();
}
