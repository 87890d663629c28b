// The requests of the conformance suite in each environment, and the comparison of two responses.
import type { Scope } from '../src/access/authority/index.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import type { Answer, Sandbox } from './app.ts';
import type { Production } from './production.fixture.ts';

/** The parts of an environment that the suite needs: four servers, of which the app may use the first. */
export interface ConformanceEnvironment {
  name: string;
  plane: Sandbox | Production;
  appId: string;
  key(scopes?: readonly Scope[]): Promise<{ token: string }>;
  serverIds: string[];
  ids: { publication: string; item: string; workflow: string; switchedOff: string };
}

/**
 * Returns the structure of a value. Null and an empty list match any structure. The listed fields depend on the
 * environment's own data and are not compared.
 */
const UNCOMPARED_FIELDS = new Set(['inputSchema', 'input', 'output', 'steps', 'metadata', 'errors', 'scopes']);
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? '*' : [shapeOf(value[0])];
  if (value === null) return '*';
  if (typeof value !== 'object') return typeof value;
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, UNCOMPARED_FIELDS.has(name) ? '*' : shapeOf(inner)] as const,
  );
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
export const isAlike = (a: unknown, b: unknown): boolean => {
  if (a === '*' || b === '*' || a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = Object.keys(a);
  return (
    names.join() === Object.keys(b).join() && names.every((name) => isAlike(Reflect.get(a, name), Reflect.get(b, name)))
  );
};

const TRANSPORT_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);

/** Returns the parts of a response that do not depend on time and data. */
export function comparableResponse({ status, headers, body }: Answer) {
  const names = [...headers.keys()].filter((name) => !TRANSPORT_HEADERS.has(name)).sort();
  const { code } = (body ?? {}) as { code?: string };
  const values = Object.fromEntries(
    ['content-type', 'cache-control', 'allow', 'www-authenticate', 'idempotent-replayed', 'x-content-type-options']
      .filter((name) => headers.has(name))
      .map((name) => [name, headers.get(name)]),
  );
  return { status, code, names, values };
}

export interface Step {
  title: string;
  scopes?: readonly Scope[];
  path: string | ((home: ConformanceEnvironment) => string);
  init?: RequestInit | ((home: ConformanceEnvironment) => RequestInit);
  /** A text in place of a key. */
  token?: string | undefined;
}

export const ticket = { subject: 'Cannot join', body: 'Since this morning.' };
export const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const missing = (prefix: string): string => toId(prefix, newUuid());
export const pathOnFirstServer = (rest: string) => (home: ConformanceEnvironment) =>
  `/v1/servers/${home.serverIds[0]}${rest}`;
export const runs = (home: ConformanceEnvironment): string => `/v1/workflows/${home.ids.workflow}/runs`;
export const input = { input: { memberName: 'Imke' } };
const UNKNOWN = missing('srv');

export const STEPS: Step[] = [
  { title: 'servers', path: '/v1/servers' },
  { title: 'a page of servers', path: '/v1/servers?limit=1' },
  { title: 'a server', path: pathOnFirstServer('') },
  { title: 'publications', path: pathOnFirstServer('/publications?limit=2') },
  { title: 'a publication', path: ({ ids }) => `/v1/publications/${ids.publication}` },
  { title: 'a roadmap', path: pathOnFirstServer('/roadmap') },
  { title: 'a roadmap item', path: ({ ids }) => `/v1/roadmap/${ids.item}` },
  { title: 'workflows', path: pathOnFirstServer('/workflows') },
  { title: 'the caller', path: '/v1/me' },
  { title: 'events', path: '/v1/events' },
  { title: 'a missing event', path: `/v1/events/${missing('evt')}` },
  { title: 'a missing server', path: `/v1/servers/${UNKNOWN}` },
  { title: 'a list of a missing server', path: `/v1/servers/${UNKNOWN}/roadmap` },
  { title: 'a missing publication', path: `/v1/publications/${missing('pub')}` },
  { title: 'a missing ticket', path: `/v1/tickets/${missing('tkt')}` },
  { title: 'a missing run', path: `/v1/workflow-runs/${missing('wfr')}` },
  { title: 'a missing workflow', path: `/v1/workflows/${missing('wfl')}/runs`, init: post(input) },
  { title: 'a malformed id', path: '/v1/servers/srv_nonsense' },
  { title: 'a limit above the maximum', path: '/v1/servers?limit=101' },
  { title: 'an unknown parameter', path: '/v1/servers?colour=red' },
  { title: 'an invalid cursor', path: '/v1/servers?cursor=bm9uc2Vuc2U' },
  { title: 'a response as HTML', path: '/v1/servers', init: { headers: { accept: 'text/html' } } },
  { title: 'a HEAD request', path: '/v1/servers', init: { method: 'HEAD' } },
  { title: 'an undocumented method', path: '/v1/servers', init: { method: 'DELETE' } },
  { title: 'an unknown path', path: '/v1/nothing' },
  { title: 'no key', path: '/v1/servers', token: '' },
  { title: 'a malformed key', path: '/v1/servers', token: 'nonsense' },
  {
    title: 'a request of a browser page',
    path: '/v1/servers',
    init: { headers: { origin: 'https://page.example.org' } },
  },
  { title: 'a key without the scope', path: '/v1/servers', scopes: ['roadmap:read'] },
  {
    title: 'a mutation without the scope',
    path: pathOnFirstServer('/tickets'),
    init: post(ticket),
    scopes: ['roadmap:read'],
  },
  { title: 'a ticket', path: pathOnFirstServer('/tickets'), init: post(ticket) },
  {
    title: 'a ticket with an Idempotency-Key',
    path: pathOnFirstServer('/tickets'),
    init: post(ticket, { 'idempotency-key': 'one' }),
  },
  {
    title: 'the same ticket again',
    path: pathOnFirstServer('/tickets'),
    init: post(ticket, { 'idempotency-key': 'one' }),
  },
  {
    title: 'another ticket with the same Idempotency-Key',
    path: pathOnFirstServer('/tickets'),
    init: post({ ...ticket, subject: 'Other' }, { 'idempotency-key': 'one' }),
  },
  {
    title: 'an over-long Idempotency-Key',
    path: pathOnFirstServer('/tickets'),
    init: post(ticket, { 'idempotency-key': 'x'.repeat(256) }),
  },
  { title: 'tickets', path: pathOnFirstServer('/tickets') },
  { title: 'a page of tickets', path: pathOnFirstServer('/tickets?limit=1') },
  { title: 'tickets without the scope', path: pathOnFirstServer('/tickets'), scopes: ['roadmap:read'] },
  { title: 'a ticket on a missing server', path: `/v1/servers/${UNKNOWN}/tickets`, init: post(ticket) },
  { title: 'a ticket without a subject', path: pathOnFirstServer('/tickets'), init: post({ body: 'x' }) },
  { title: 'a body that is not JSON', path: pathOnFirstServer('/tickets'), init: post('{"subject"') },
  {
    title: 'a body of plain text',
    path: pathOnFirstServer('/tickets'),
    init: post(ticket, { 'content-type': 'text/plain' }),
  },
  { title: 'an oversized body', path: pathOnFirstServer('/tickets'), init: post(`"${'x'.repeat(300_000)}"`) },
  { title: 'a run', path: runs, init: post(input, { 'idempotency-key': 'run' }) },
  { title: 'the same run again', path: runs, init: post(input, { 'idempotency-key': 'run' }) },
  { title: 'a run with an input that does not fit', path: runs, init: post({ input: {} }) },
  {
    title: 'a run of a workflow that is switched off',
    path: ({ ids }) => `/v1/workflows/${ids.switchedOff}/runs`,
    init: post(input),
  },
  { title: 'problems', path: '/problems/upstream-invalid' },
];
