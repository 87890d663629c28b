// Requests from a page that holds a key, as the API receives them from a real browser, and the resulting notices of the
// organisation.
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { until } from '../slipway.ts';
import { ask, send } from '../visitor.ts';
import { type AppWithTraffic, startAppWithTraffic } from './app-with-traffic.ts';
import { inspect } from './browser.ts';
import { launchChromium } from './chromium.ts';

interface Site {
  url: string;
  /** The requests that the proxy forwarded to the API. */
  seen: { method: string | undefined; headers: IncomingHttpHeaders }[];
  close(): Promise<unknown>;
}

let stocked: AppWithTraffic;
let key: string;
let site: Site;
let api: Site;
const browsers: Browser[] = [];
beforeAll(async () => {
  stocked = await startAppWithTraffic();
  const { instance, organisationId, appId, cookie } = stocked;
  const keys = `${instance.consoleUrl}/api/sandbox/organisations/${organisationId}/apps/${appId}/keys`;
  const input = { name: 'Page key', scopes: ['servers:read'], expiresInDays: 1 };
  key = (await send<{ token: string }>(keys, input, { cookie })).body.token;
  site = await startSite(stocked.instance.apiUrl);
  api = await startSite(stocked.instance.apiUrl);
});
afterEach(() => {
  for (const { seen } of [site, api]) seen.length = 0;
});
afterAll(async () => {
  await Promise.all([...browsers.map((browser) => browser.close()), site?.close(), api?.close()]);
  await stocked?.close();
});

/** Starts a page, and a proxy of the API under the page's origin, as development servers do. */
async function startSite(apiUrl: string): Promise<Site> {
  const seen: Site['seen'] = [];
  const server: Server = createServer((incoming, answer) => {
    if (!incoming.url?.startsWith('/v1/'))
      return void answer.writeHead(200, { 'content-type': 'text/html' }).end('<p>A page</p>');
    const { method, headers } = incoming;
    seen.push({ method, headers });
    const passed = request(apiUrl + incoming.url, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP address
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

async function openSite(more: readonly string[] = []): Promise<Page> {
  const browser = await launchChromium(inject('chromiumPath'), more);
  browsers.push(browser);
  const page = await browser.newPage();
  await page.goto(`${site.url}/start?session=1`);
  return page;
}

/** Calls with the key in the page. Resolves with the status, the type of an opaque response, or `failed`. */
const callIn = (page: Page, url: string, init: RequestInit = {}): Promise<number | string> =>
  page.evaluate(
    ([to, sent]) =>
      fetch(to, sent).then(
        ({ status, type }) => status || type,
        () => 'failed',
      ),
    [url, { ...init, headers: { authorization: `Bearer ${key}` } }] as const,
  );

const noticed = async (): Promise<(string | null)[]> => {
  const path = `/api/sandbox/organisations/${stocked.organisationId}/notices`;
  const { body } = await ask<{ data: { kind: string; pageOrigin: string | null }[] }>(
    stocked.instance.consoleUrl + path,
    {
      headers: { cookie: stocked.cookie },
    },
  );
  return body.data.filter(({ kind }) => kind === 'key_in_browser').map(({ pageOrigin }) => pageOrigin);
};

test('a page of another origin sends a preflight without the key, and nothing after its refusal', async () => {
  const page = await openSite();
  expect(await callIn(page, `${api.url}/v1/servers`)).toBe('failed');
  expect(await callIn(page, `${api.url}/v1/servers`, { method: 'POST' })).toBe('failed');
  expect(api.seen.map(({ method, headers }) => [method, headers.origin, headers.authorization])).toEqual([
    ['OPTIONS', site.url, undefined],
    ['OPTIONS', site.url, undefined],
  ]);
});

test('a page of another origin without CORS sends the request without the key', async () => {
  const page = await openSite();
  expect(await callIn(page, `${api.url}/v1/servers`, { mode: 'no-cors' })).toBe('opaque');
  expect(api.seen.map(({ method, headers }) => [method, headers.authorization])).toEqual([['GET', undefined]]);
  expect(await noticed()).toEqual([]);
});

test('a page of the proxy’s own origin sends the key, and the notice names the origin of that page', async () => {
  const page = await openSite();
  expect(await callIn(page, '/v1/servers')).toBe(403);
  expect(await callIn(page, '/v1/servers', { method: 'POST' })).toBe(405);
  expect(site.seen.map(({ method, headers }) => [method, headers.origin, headers['sec-fetch-site']])).toEqual([
    ['GET', undefined, 'same-origin'],
    ['POST', site.url, 'same-origin'],
  ]);
  expect(await until(async () => ((await noticed()).length > 0 ? noticed() : false))).toEqual([site.url]);
});

test('a browser without web security sends the key, and names its page in Referer', async () => {
  const page = await openSite(['--disable-web-security']);
  expect(await callIn(page, `${api.url}/v1/servers`)).toBe(403);
  expect(api.seen.map(({ method, headers }) => [method, headers.referer, headers.authorization])).toEqual([
    ['GET', `${site.url}/`, `Bearer ${key}`],
  ]);
});

test('the Console shows the notice, with the origin as text and a link to the refused requests', async () => {
  const { page } = stocked;
  await page.goto(stocked.base.replace(/apps\/.*/, 'notices'));
  const title = page.getByText(`A page of ${site.url} used the key “Page key”`);
  await title.waitFor();
  expect(await page.locator(`a[href^="${site.url}"]`).count()).toBe(0);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, `key-in-browser-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('link', { name: 'Requests of the key' }).click();
  await page.waitForURL(/code=browser_use/);
  await page.getByText('browser_use').first().waitFor();
});
