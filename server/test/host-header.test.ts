// Request smuggling by two Host headers: Node keeps the first one, and a proxy in front may have read the second one.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManagement } from '../src/listeners/sandbox-management.ts';
import { createMonitoringListener } from '../src/platform/monitoring/index.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { startConsole, type TestConsole } from './console-app.ts';
import { sendRaw } from './raw-socket.ts';

let sandbox: Sandbox;
let site: TestConsole;
const origins: Record<string, string> = {};
const apps: FastifyInstance[] = [];

async function listen(app: FastifyInstance): Promise<string> {
  apps.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`; // a TCP address
}

beforeAll(async () => {
  sandbox = await startSandbox();
  site = await startConsole('local');
  origins.api = sandbox.apiUrl;
  origins.console = site.url;
  origins.management = await listen(createManagement(site.plane.plane, () => {}));
  origins.monitoring = await listen(
    createMonitoringListener({ readiness: async () => ({ status: 'ready', findings: [] }), metrics: async () => '' }),
  );
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await site.close();
  await sandbox.close();
});

const PATHS: Record<string, string> = {
  api: '/v1/openapi.json',
  console: '/api/session',
  management: '/openapi.json',
  monitoring: '/livez',
};

describe.each(Object.keys(PATHS))('the listener of %s', (name) => {
  const send = (headers: string) =>
    sendRaw(origins[name] ?? '', `GET ${PATHS[name]} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);

  test.each([
    'Host: a\r\nHost: b\r\n',
    'Host: a\r\nhOsT: a\r\n',
    'Host: a\r\nX: y\r\nHOST:\r\n',
  ])('refuses a request with two Host headers with 400: %j', async (headers) => {
    const answer = await send(headers);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('The header Host must be sent once.');
  });

  test('refuses a request without a Host header with 400', async () => {
    expect(await send('')).toMatch(/^HTTP\/1\.1 400 [\s\S]*The header Host is missing\./);
  });

  test('accepts a request with one Host header', async () => {
    expect(await send('Host: a\r\n')).not.toMatch(/^HTTP\/1\.1 400 /);
  });
});
