// The API catalogue (RFC 9727), through which a new client finds the contract.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './app.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Catalogue {
  linkset: { anchor: string; 'service-desc': { href: string; type: string }[] }[];
}

test('the API catalogue is a link set without a key, and its link leads to the OpenAPI document', async () => {
  const { status, headers, text } = await sandbox.call('/.well-known/api-catalog');
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/linkset\+json\b/)]);
  const [entry] = (JSON.parse(text) as Catalogue).linkset; // every operation's response is checked against its schema
  expect(entry?.anchor).toBe('http://sandbox.test/v1');
  const { pathname } = new URL(entry?.['service-desc'][0]?.href ?? '');
  expect((await sandbox.call(pathname)).body.openapi).toBe('3.1.0');
});
