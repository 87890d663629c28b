// Prism as a proxy in front of the sandbox compares 100 calls and their responses with the document. Prism as a mock
// server answers from it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../bench/kit.ts';
import { type Check, none } from '../kit.ts';
import { installNpm } from './commands.ts';
import type { Target } from './target.ts';

const CALLS = 100;

/** By the prefix of an identifier, the path of a read of the object. */
const READS: Readonly<Record<string, string>> = {
  srv: 'servers',
  pub: 'publications',
  rmi: 'roadmap',
  tkt: 'tickets',
  wfr: 'workflow-runs',
  evt: 'events',
};

interface Prism {
  url: string;
  stop(): void;
}

async function startPrism(folder: string, ...args: string[]): Promise<Prism> {
  const port = await freePort();
  const child: ChildProcess = spawn(
    join(folder, 'node_modules/.bin/prism'),
    [...args, '--host', '127.0.0.1', '--port', String(port)],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const onChunk = (chunk: Buffer): void => {
      text += chunk;
      if (text.includes('Prism is listening')) resolve();
    };
    child.stdout?.on('data', onChunk);
    child.stderr?.on('data', onChunk);
    child.once('error', reject).once('exit', (code) => reject(new Error(`Prism ended with ${code}.\n${text}`)));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

interface Page {
  /** A list. The data of an event is an object. */
  data?: unknown;
  nextCursor?: string | null;
}

/** Sends calls through the proxy. Returns a text for each violation and each unexpected status. */
async function callThrough(url: string, { key, narrowKey, serverIds, apiUrl }: Target): Promise<string[]> {
  const faults: string[] = [];
  let calls = 0;
  const call = async (path: string, expected: number, init: RequestInit = {}, as = key): Promise<Response> => {
    calls += 1;
    const headers = {
      accept: 'application/json, application/problem+json',
      ...init.headers,
      authorization: `Bearer ${as}`,
    };
    const response = await fetch(url + path, { ...init, headers });
    const violations = response.headers.get('sl-violations');
    if (violations !== null) faults.push(`${init.method ?? 'GET'} ${path}: ${violations}`);
    if (response.status !== expected) faults.push(`${path}: ${response.status} and not ${expected}`);
    return response;
  };
  const create = (serverId: string, expected: number, headers: Record<string, string> = {}, as = key) => {
    const body = JSON.stringify({ subject: 'Through a proxy', body: 'Prism reads this.', labels: ['prism'] });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
    return call(`/v1/servers/${serverId}/tickets`, expected, init, as);
  };
  const [first = ''] = serverIds;
  const ticket = (await (await create(first, 201)).json()) as { id: string }; // a response of this operation
  for (let at = 0; at < 2; at++) await create(first, 201, { 'idempotency-key': 'through a proxy' });
  await create(first, 403, {}, narrowKey);
  await call('/v1/events', 403, {}, narrowKey);
  await call(`/v1/tickets/${ticket.id.slice(0, -5)}00000`, 404);
  await call('/v1/me', 401, {}, 'slw_test_unknown');
  // Prism removes no header: this is the ETag of the sandbox.
  const me = await fetch(`${apiUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await call('/v1/me', 304, { headers: { 'if-none-match': me.headers.get('etag') ?? '' } });
  const paths = ['/v1/me', '/v1/servers?limit=1', '/v1/events?limit=2'];
  for (const id of serverIds) {
    paths.push(
      ...['publications', 'roadmap', 'tickets', 'workflows'].map((list) => `/v1/servers/${id}/${list}?limit=2`),
    );
  }
  for (let path = paths.shift(); path !== undefined && calls < CALLS; path = paths.shift()) {
    const page = (await (await call(path, 200)).json()) as Page; // a list or one object
    if (page.nextCursor) paths.push(`${path.replace(/&cursor=.*/, '')}&cursor=${page.nextCursor}`);
    const items: { id: string }[] = Array.isArray(page.data) ? page.data : [];
    for (const { id } of items) {
      const read = READS[id.slice(0, 3)];
      if (read !== undefined) paths.push(`/v1/${read}/${id}`);
    }
  }
  if (calls < CALLS) faults.push(`only ${calls} calls`);
  return faults;
}

/** Reads two operations from the mock server, which answers with the examples of the document. */
async function readMock(url: string): Promise<string[]> {
  const faults: string[] = [];
  for (const path of ['/v1/me', '/v1/servers', '/v1/tickets/tkt_01j9z3v8k6e5t8m2n4p6q8r0s4']) {
    const response = await fetch(url + path, { headers: { authorization: 'Bearer a-key' } });
    const text = await response.text();
    if (response.status !== 200) faults.push(`${path}: ${response.status} ${text}`);
  }
  return faults;
}

export async function checkPrism(target: Target, folder: string): Promise<Check[]> {
  mkdirSync(folder);
  await installNpm(folder, ['@stoplight/prism-cli']);
  writeFileSync(join(folder, 'openapi.json'), target.documents.v1);
  const proxy = await startPrism(folder, 'proxy', 'openapi.json', target.apiUrl);
  const faults = await callThrough(proxy.url, target).finally(proxy.stop);
  for (const fault of faults) console.error(fault);
  const mock = await startPrism(folder, 'mock', 'openapi.json');
  const unlike = await readMock(mock.url).finally(mock.stop);
  for (const fault of unlike) console.error(fault);
  return [
    none('Prism: violations and unexpected statuses through its proxy', faults.length, `${CALLS} calls`),
    none('Prism: reads that its mock server refuses', unlike.length, '3 reads'),
  ];
}
