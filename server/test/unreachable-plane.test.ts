// The Console with an unreachable plane: it responds itself, also if a proxy is in between.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remoteLink } from '../src/governance/environments/index.ts';
import { startConsole } from './console-app.ts';

const proxy = createServer((_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad'));
beforeAll(() => once(proxy.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => proxy.close());

test.each([
  'no listener',
  'a proxy that reaches no plane',
])('with %s the operations of the plane respond 503 and those of the Console work', async (what) => {
  const { port } = proxy.address() as AddressInfo; // a TCP address
  const site = await startConsole('remote', {
    link: remoteLink('sandbox', `http://127.0.0.1:${what === 'no listener' ? 1 : port}`),
  });
  try {
    const { visitor } = await site.newPerson();
    const { body } = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
    const answer = await visitor.call('GET', `/api/sandbox/organisations/${body.id}/apps`);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|Bad/);
    expect((await visitor.call('GET', '/api/session')).status).toBe(200);
  } finally {
    await site.close();
  }
});
