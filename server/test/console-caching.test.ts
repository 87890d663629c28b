// Caches between a browser and the Console store no response to a member or a visitor.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMonitoringListener } from '../src/platform/monitoring/index.ts';
import { startConsole, type TestConsole, type TestVisitor } from './console-app.ts';
import { sendRaw } from './raw-socket.ts';
import { openTail } from './tail-reader.ts';

let site: TestConsole;
let owner: TestVisitor;
let base: string;
let app: string;

beforeAll(async () => {
  site = await startConsole('remote');
  owner = (await site.newPerson()).visitor;
  const organisation = await owner.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  base = `/api/sandbox/organisations/${organisation.body.id}`;
  app = `${base}/apps/${(await owner.call<{ id: string }>('POST', `${base}/apps`, { name: 'Bridge' })).body.id}`;
});
afterAll(() => site.close());

const storing = async (method: string, path: string, body?: unknown, visitor = owner) => {
  const { status, headers } = await visitor.call(method, path, body);
  return [status, headers.get('cache-control')];
};

describe('cache headers of the Console', () => {
  test('a list of a plane gets no-store, although the plane’s own API allows revalidation', async () => {
    expect(await storing('GET', `${base}/apps`)).toEqual([200, 'no-store']);
    expect(await storing('GET', `${app}/installations`)).toEqual([200, 'no-store']);
    expect(await storing('HEAD', `${app}/keys`)).toEqual([200, 'no-store']);
  });

  test('the contract gets no-store, although it is public elsewhere', async () => {
    expect(await storing('GET', `${base}/contract`)).toEqual([200, 'no-store']);
  });

  test('the session of a member and of a visitor gets no-store', async () => {
    expect(await storing('GET', '/api/session')).toEqual([200, 'no-store']);
    expect((await storing('GET', '/api/session', undefined, site.newVisitor()))[1]).toBe('no-store');
  });

  test('a refusal of any part gets no-store', async () => {
    const visitor = site.newVisitor();
    expect(await storing('GET', `${base}/apps`, undefined, visitor)).toEqual([401, 'no-store']);
    expect(await storing('POST', `${base}/apps`, { wrong: true })).toEqual([400, 'no-store']);
    expect(await storing('DELETE', '/api/session/nothing')).toEqual([404, 'no-store']);
    expect(await storing('PATCH', '/api/session')).toEqual([405, 'no-store']);
    expect(await storing('GET', '/%zz')).toEqual([400, 'no-store']);
    expect(await storing('GET', '/assets/none.js')).toEqual([404, 'no-store']);
    expect(await storing('GET', `/${'x'.repeat(8_001)}`)).toEqual([414, 'no-store']);
  });

  test('the response to invalid HTTP gets no-store', async () => {
    const answer = await sendRaw(site.url, 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*cache-control: no-store\r\n/i);
  });

  test('a live stream gets no-store', async () => {
    const tail = await openTail(`${site.url}${app}/request-tail`, { headers: { cookie: owner.cookie } });
    expect([tail.status, tail.headers['cache-control']]).toEqual([200, 'no-store']);
    tail.close();
  });

  test('health and metrics get no-store, errors included', async () => {
    const listener = createMonitoringListener({
      readiness: async () => ({ status: 'ready', findings: [] }),
      metrics: () => Promise.reject(new Error('of a test')),
    });
    for (const url of ['/livez', '/readyz', '/metrics', '/nothing']) {
      expect((await listener.inject(url)).headers['cache-control']).toBe('no-store');
    }
    await listener.close();
  });
});
