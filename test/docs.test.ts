// The documentation site as the built server serves it, and as any static host would.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from '../scripts/site/build.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, root, type SlipwayInstance } from './slipway.ts';

const BUILT = join(root, 'docs/dist');
const filesIn = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(end));
const documents = filesIn(BUILT, '.html');
const read = (path: string): string => readFileSync(join(BUILT, path), 'utf8');
const contractOf = (name: string) => JSON.parse(readFileSync(join(root, 'contract', name), 'utf8'));

describe('the built server', () => {
  let instance: SlipwayInstance;
  beforeAll(async () => {
    instance = await createInstance(copyPreparedData);
    await instance.start().ready;
  });
  afterAll(() => instance.remove());

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(instance.consoleUrl + path, { redirect: 'manual', ...init });

  test('serves pages without a session under a policy without inline scripts and styles', async () => {
    const answer = await ask('/docs/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toContain('<h1');
  });

  test('redirects an address without a slash at its end to the page', async () => {
    const [home, page] = await Promise.all([ask('/docs'), ask('/docs/reference/problems')]);
    expect([home.status, home.headers.get('location')]).toEqual([302, '/docs/']);
    expect([page.status, page.headers.get('location')]).toEqual([302, '/docs/reference/problems/']);
  });

  test('sends assets compressed and cacheable for ever', async () => {
    const [path = ''] = filesIn(join(BUILT, 'assets'), '.css');
    const answer = await ask(`/docs/assets/${path}`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toContain('text/css');
  });

  test('sends each page as Markdown, and llms.txt', async () => {
    const page = await ask('/docs/reference/problems.md');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(await page.text()).toMatch(/^# Problems\n/);
    expect((await ask('/docs/llms.txt')).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('answers 404 with a page of the site for an unknown address', async () => {
    const answer = await ask('/docs/nothing/here/', { headers: { accept: 'text/html' } });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await answer.text()).toContain('Page not found');
    expect((await ask('/docs/nothing.js')).headers.get('content-type')).toContain('application/problem+json');
  });

  test.each([
    '/docs/../../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/assets/../../../package.json',
    '/docs/index.html.br',
    '/docs/%00',
  ])('sends no file for %s', async (path) => {
    // fetch would resolve the dots itself.
    const { hostname, port } = new URL(instance.consoleUrl);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect([400, 404]).toContain(status);
  });

  test('links to the documentation from the page of a problem', async () => {
    for (const path of ['/problems', '/problems/missing-scope']) {
      const html = await (await fetch(instance.apiUrl + path)).text();
      expect(html).toContain(`href="${instance.consoleUrl}/docs/"`);
    }
  });
});

describe('the built site', () => {
  test('has no inline script or style, and loads nothing from another host', () => {
    expect(documents.length).toBeGreaterThan(300);
    const bad = documents.flatMap((path) => {
      const html = read(path);
      // Code in a page is text, which has no tags.
      const found = html.match(
        /<style|<script(?! (type="module" )?src="\/docs\/)|\s(style|on\w+)="|(src|srcset)="(?!\/docs\/)|<link [^>]*href="(?!\/docs\/)|javascript:/g,
      );
      return found ? [`${path}: ${found.join(' ')}`] : [];
    });
    expect(bad).toEqual([]);
  });

  test('has no internal link without a page', () => {
    const known = new Set(readdirSync(BUILT, { recursive: true, encoding: 'utf8' }));
    const lost = documents.flatMap((path) =>
      [...read(path).matchAll(/(?:href|src)="\/docs\/([^"#?]*)/g)]
        .map(([, target = '']) =>
          decodeURIComponent(target === '' || target.endsWith('/') ? `${target}index.html` : target),
        )
        .filter((target) => !known.has(target))
        .map((target) => `${path}: ${target}`),
    );
    expect([...new Set(lost)]).toEqual([]);
  });

  test.each([
    ['reference/api', 'openapi.json'],
    ['reference/management', 'console.openapi.json'],
  ])('%s has a page for each operation, with its parameters, responses, errors and a call', (folder, name) => {
    const { paths } = contractOf(name);
    const operations = Object.values(paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId?: string; responses?: Record<string, unknown> }>).filter(
        ({ operationId }) => operationId !== undefined,
      ),
    );
    for (const { operationId = '', responses = {} } of operations) {
      const page = read(`${folder}/${operationId.replaceAll(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}/index.html`);
      expect(page).toContain(`<code>${operationId}</code>`);
      expect(page).toMatch(/curl -sS/);
      for (const status of Object.keys(responses))
        expect([operationId, status, page.includes(status)]).toEqual([operationId, status, true]);
    }
  });

  test('has a page for each event type with every schema version and a signed example', () => {
    const { webhooks } = contractOf('openapi.json');
    for (const [type, { post }] of Object.entries<{ post: { 'x-event-versions': number[] } }>(webhooks)) {
      const page = read(`webhooks/events/${type.replaceAll(/[._]/g, '-')}/index.html`);
      for (const version of post['x-event-versions']) expect(page).toContain(`Schema version ${version}`);
      expect(page.match(/webhook-signature: v1,/g)).toHaveLength(post['x-event-versions'].length);
    }
  });

  test('has a page for each problem of both APIs', () => {
    for (const name of ['openapi.json', 'console.openapi.json']) {
      for (const code of Object.keys(contractOf(name)['x-problems']))
        expect(read(`reference/problems/${code.replaceAll('_', '-')}/index.html`)).toContain(`<code>${code}</code>`);
    }
  });

  test('names every page in llms.txt, and each has its Markdown', () => {
    const named = [...read('llms.txt').matchAll(/\]\(\/docs\/([^)]+\.md)\)/g)].map(([, path]) => path);
    const pages = documents.filter((path) => path !== '404.html' && path !== 'index.html');
    expect(named.toSorted()).toEqual(pages.map((path) => path.replace('/index.html', '.md')).toSorted());
    for (const path of named) expect(read(path ?? '')).toMatch(/^# /);
  });

  test('is built for another base without a link to /docs', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'slipway-site-')), 'site');
    try {
      await buildSite({ root, out, base: '/', consoleUrl: undefined });
      const html = readFileSync(join(out, 'reference/problems/index.html'), 'utf8');
      expect(html).not.toMatch(/(href|src)="\/docs\//);
      expect(html).toMatch(
        /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self';/,
      );
    } finally {
      rmSync(join(out, '..'), { recursive: true, force: true });
    }
  });
});
