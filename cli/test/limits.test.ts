// Tests how many items of a list a command with an API key prints, against an API with pages of the requested size.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newTerminal, type Terminal } from './terminal.ts';

const HELD = 250;
let server: Server;
let terminal: Terminal;
const queries: string[] = [];
/** The number of pages without an item before the first item. */
let emptyPages = 0;

/** Returns a page of the `HELD` items after a position, which is the number of items before it. */
function answer(url: URL): unknown {
  const limit = Number(url.searchParams.get('limit'));
  const isFeed = url.pathname === '/v1/events';
  if (emptyPages > 0) {
    emptyPages -= 1;
    return { data: [], nextCursor: '0' };
  }
  const from = Number(url.searchParams.get(isFeed ? 'after' : 'cursor') ?? 0);
  const to = Math.min(HELD, from + limit);
  const data = Array.from({ length: to - from }, (_, at) => ({ id: `item_${from + at + 1}` }));
  return isFeed ? { data, nextAfter: String(to) } : { data, nextCursor: to < HELD ? String(to) : null };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://api.test');
    queries.push(url.search);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  terminal = newTerminal();
  terminal.env.SLIPWAY_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
  terminal.env.SLIPWAY_KEY = 'slw_test_key';
});
beforeEach(() => {
  queries.length = 0;
});
afterAll(async () => {
  terminal.remove();
  await new Promise((resolve) => server.close(resolve));
});

describe('slipway servers', () => {
  test.each([
    [3, 3, 'There are more: --limit 6\n'],
    [150, 150, 'There are more: --limit 300\n'],
    [250, 250, ''],
    [9_000, 250, ''],
  ])('--limit %i prints %i servers, and says whether there are more', async (limit, printed, said) => {
    const { code, err, lines } = await terminal.run(`servers --limit ${limit}`);
    expect([code, lines().length, err]).toEqual([0, printed, said]);
  });

  test('a list reports searched pages without a match at the 1st, 2nd and 4th page, and then prints the items', async () => {
    emptyPages = 5;
    const { code, err, lines } = await terminal.run('servers --limit 2');
    const said = ['1 page', '2 pages', '4 pages'].map(
      (pages) => `slipway: ${pages} searched without a match. The search continues.\n`,
    );
    expect([code, lines().length, err]).toEqual([0, 2, `${said.join('')}There are more: --limit 4\n`]);
  });

  test('servers prints 100 servers without --limit, as every list does', async () => {
    const { err, lines } = await terminal.run('servers');
    expect([lines().length, err]).toEqual([100, 'There are more: --limit 200\n']);
  });
});

describe('slipway events', () => {
  test.each([
    1, 100, 130, 249,
  ])('--limit %i prints as many events, and the position after the last of them', async (limit) => {
    const { code, err, lines } = await terminal.run(`events --limit ${limit}`);
    expect([code, lines().length, err]).toEqual([0, limit, `slipway: --after ${limit} continues from here.\n`]);
  });

  test('events --limit continues from a position, and ends at the end of the feed', async () => {
    const { lines, err } = await terminal.run('events --after 240 --limit 50');
    expect(lines().map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `item_${241 + at}`));
    expect(err).toBe('slipway: --after 250 continues from here.\n');
  });

  test('events --follow --limit ends after that number of events', async () => {
    const { lines } = await terminal.run('events --after 200 --limit 20 --follow');
    expect(lines()).toHaveLength(20);
    expect(queries).toHaveLength(1);
  });

  test('events prints all events without --limit', async () => {
    expect((await terminal.run('events')).lines()).toHaveLength(HELD);
  });
});
