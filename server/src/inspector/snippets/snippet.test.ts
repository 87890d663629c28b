// Code snippets repeat the recorded request for any content of its parts.
import { expect, test } from 'vitest';
import { runShell } from '../../../test/run-shell.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { type KnownOperation, type SnippetRequest, snippetsOf } from './snippet.ts';

const BASE = 'https://sandbox.example.org';
const request = (part: Partial<SnippetRequest>): SnippetRequest => ({
  method: 'GET',
  baseUrl: BASE,
  path: '/v1/servers',
  query: null,
  operation: undefined,
  hasBody: false,
  simulated: null,
  ...part,
});

type AsyncFunction = (...args: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => AsyncFunction;
/** Runs the code and returns the arguments of its call of fetch. */
async function runFetch(code: string): Promise<unknown[]> {
  const fetchArguments: unknown[] = [];
  const answer = { status: 200, text: async () => '' };
  const run = new AsyncFunction('fetch', 'process', 'console', code);
  await run((...all: unknown[]) => fetchArguments.push(...all) && answer, { env: {} }, { log: () => {} });
  return fetchArguments;
}

test('a snippet sends the recorded address in a shell and in a program, even if it contains hostile characters', async () => {
  const hostile = [
    "'; touch x; '",
    '$(touch x)',
    '`touch x`',
    '"; throw 1; "',
    `$${'{process.exit()}'}`,
    '\\',
    '-o/tmp/x',
    '\u2028\n',
    '{a,b}[1-3]',
    '@/etc/passwd',
    "'\\''",
  ];
  for (const text of hostile) {
    const { curl, fetch: code } = snippetsOf(request({ path: `/v1/${text}`, query: text, simulated: text }));
    const url = `${BASE}/v1/${text}?${text}`;
    const simulate = `Sandbox-Simulate: ${text}`;
    const args = ['-sS', '-i', '--globoff', '--path-as-is', url, '-H', 'Authorization: Bearer the key', '-H', simulate];
    expect(runShell(curl, 'the key')).toEqual(args);
    const [requestedUrl, { headers }] = (await runFetch(code)) as [string, { headers: Record<string, string> }];
    expect([requestedUrl, headers['Sandbox-Simulate']]).toEqual([url, text]);
  }
});

test.each(['GET', 'HEAD'])('a snippet leaves out the body of a %s and says so', async (method) => {
  const { curl, fetch: code } = snippetsOf(request({ method, hasBody: true }));
  for (const text of [curl, code]) expect(text).toContain('A body was sent, which has no place here');
  const args = runShell(curl, 'the key');
  expect(args.filter((one) => /data|-X|Content-Type/.test(one))).toEqual([]);
  expect(args.includes('--head')).toBe(method === 'HEAD');
  expect(() => new Request(BASE, { method })).not.toThrow();
  expect((await runFetch(code))[1]).not.toHaveProperty('body');
});

test('the SDK snippet has a body only if its operation accepts one', () => {
  const operation: KnownOperation = { id: 'pause', method: 'POST', path: '/v1/servers' };
  const sdkOf = (known: KnownOperation) => snippetsOf(request({ method: 'POST', operation: known, hasBody: true })).sdk;
  expect(sdkOf(operation)).toMatch(/A body was sent, which has no place here.*slipway\.pause\(\)/s);
  const body = strictObject({ name: Type.String() });
  expect(sdkOf({ ...operation, body, examples: { one: { name: 'x' } } })).toContain('"name": "x"');
});

test('the SDK snippet has a different argument for each parameter, also if two parameters have the same name', () => {
  const operation: KnownOperation = {
    id: 'getPart',
    method: 'GET',
    path: '/v1/parts/{partId}',
    query: strictObject({ body: Type.String(), partId: Type.Integer() }),
  };
  const { sdk } = snippetsOf(request({ path: '/v1/parts/a', query: 'body=tea&partId=2', operation }));
  expect(sdk).toContain(JSON.stringify({ partId: 'a', bodyQuery: 'tea', partIdQuery: 2 }, null, 2));
});

test('a masked part of an address becomes a placeholder with a note, and no mask remains', () => {
  const operation: KnownOperation = {
    id: 'listServers',
    method: 'GET',
    path: '/v1/servers',
    query: strictObject({ limit: Type.Integer() }),
  };
  const known = snippetsOf(request({ query: 'limit=*', operation }));
  for (const text of [known.curl, known.fetch, known.sdk])
    expect(text).toMatch(/^(#|\/\/) The record does not keep all/m);
  expect(runShell(known.curl, 'the key')).toContain(`${BASE}/v1/servers?limit=VALUE`);
  expect(known.sdk).toContain('"limit": "VALUE"');
  const unknown = snippetsOf(request({ path: '/v1/servers/*', query: '*=*&limit=2&*=*' }));
  expect(unknown.fetch).toContain(`"${BASE}/v1/servers/VALUE?NAME=VALUE&limit=2&NAME=VALUE"`);
  expect(unknown.sdk).toBeNull();
  expect(snippetsOf(request({ query: 'limit=2' })).curl).not.toContain('does not keep');
});
