// A reference upstream API, as an operator might write one: a real HTTP server with a small data set in memory. It
// verifies the caller, pages its lists, and carries out each mutation once. A test may replace its next responses.
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { jwtVerify } from 'jose';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';

export const IDENTITY_KEY = 'an identity key for tests, of no other use';

export interface ReferenceUpstream {
  url: string;
  /** The ids of its servers, newest first. */
  serverIds: string[];
  /** The requests that it received, in the order in which they were verified. */
  requests: {
    method: string;
    path: string;
    headers: IncomingMessage['headers'];
    claims: Record<string, unknown>;
    /** The time of `performance.now()` at which its headers had been read. */
    arrivedMs: number;
  }[];
  /**
   * Waits until every request that was sent before this call has been read. Resolves to a function that returns the
   * number of the app's mutations that arrived later.
   */
  observeMutations(appId: string): Promise<() => number>;
  /** How often it carried out a mutation. */
  mutations: { tickets: number; runs: number };
  /** Returns the first object of each kind on a server. */
  objects: Record<'publication' | 'roadmapItem' | 'workflow' | 'switchedOff', (serverId: string) => string>;
  /** Replaces its responses until it is undefined again. */
  respond: ((request: IncomingMessage, response: ServerResponse, body: string) => void) | undefined;
  /** Runs before each response, which is not changed. */
  before: ((request: IncomingMessage) => Promise<void>) | undefined;
  /** If true, mutations are carried out and their responses are lost. */
  losesResponses: boolean;
  /** Decides about each request by its body; undefined for the normal response. */
  deviate: ((request: IncomingMessage, body: string) => MutationDeviation | undefined) | undefined;
  close(): Promise<void>;
}

/** A deviation: carry out the mutation or not, and then respond differently. */
export interface MutationDeviation {
  isCarriedOut: boolean;
  afterMs: number;
  /** Undefined for the normal response. */
  respond: NonNullable<ReferenceUpstream['respond']> | undefined;
}

/** The path of a request that only marks a position among the connections. */
const MARK = '/mark';

type Item = Record<string, unknown> & { id: string; serverId?: string; number?: number };

const at = '2026-10-01T08:00:00.000Z';

function makeWorld(servers: number) {
  const newest = <T extends Item>(items: T[]): T[] => items.sort((a, b) => (a.id < b.id ? 1 : -1));
  const all = Array.from({ length: servers }, (_, index) => ({
    id: toId('srv', newUuid()),
    name: `Harbour ${index}`,
    slug: `harbour-${index}`,
    description: 'Night photographers.',
    iconUrl: 'https://icons.example.org/harbour.png',
    locale: 'en-GB',
    timezone: 'Europe/London',
    memberCount: 17,
    createdAt: at,
  }));
  const each = (count: number, make: (serverId: string, index: number) => Item): Item[] =>
    newest(all.flatMap(({ id }) => Array.from({ length: count }, (_, index) => make(id, index))));
  return {
    servers: newest(all),
    publications: each(5, (serverId, index) => ({
      id: toId('pub', newUuid()),
      serverId,
      channel: 'announcements',
      title: `Walk ${index}`,
      bodyMarkdown: 'We meet at **nine**.',
      status: 'published',
      author: 'Imke',
      tags: ['meetup'],
      publishedAt: at,
      createdAt: at,
    })),
    roadmap: each(3, (serverId, index) => ({
      id: toId('rmi', newUuid()),
      serverId,
      title: `A darkroom ${index}`,
      description: 'With an enlarger.',
      status: 'idea',
      category: 'places',
      position: index,
      voteCount: 3,
      targetQuarter: '2027-Q1',
      createdAt: at,
    })),
    workflows: each(2, (serverId, index) => ({
      id: toId('wfl', newUuid()),
      serverId,
      name: 'Welcome a member',
      description: 'Greets them.',
      inputSchema: { type: 'object', properties: { memberName: { type: 'string' } }, required: ['memberName'] },
      enabled: index === 0,
      createdAt: at,
    })),
    tickets: new Map<string, Item & { appId: string }>(),
    runs: new Map<string, Item & { appId: string }>(),
    answers: new Map<string, { request: string; status: number; body: unknown }>(),
  };
}

interface Answer {
  status: number;
  body: unknown;
}
const refused = (status: number, code: string, more: object = {}): Answer => ({ status, body: { code, ...more } });

function pageOf(items: readonly Item[], query: URLSearchParams): Answer {
  const after = query.get('cursor');
  const from = after === null ? 0 : items.findIndex(({ id }) => `after:${id}` === after) + 1;
  const data = items.slice(from, from + Number(query.get('limit')));
  const isMore = from + data.length < items.length;
  return { status: 200, body: { data, nextCursor: isMore ? `after:${data.at(-1)?.id}` : null } };
}

export async function startReferenceUpstream(
  options: { servers?: number; url?: string } = {},
): Promise<ReferenceUpstream> {
  const world = makeWorld(options.servers ?? 3);
  const requests: ReferenceUpstream['requests'] = [];
  const acts = { tickets: 0, runs: 0 };
  const marks: ((atMs: number) => void)[] = [];
  const key = new TextEncoder().encode(IDENTITY_KEY);

  function read(path: string, query: URLSearchParams, appId: unknown): Answer {
    const [, , kind = '', id = '', list] = path.split('/');
    const lists: Record<string, Item[]> = {
      publications: world.publications,
      roadmap: world.roadmap,
      workflows: world.workflows,
      tickets: [...world.tickets.values()]
        .flatMap(({ appId: owner, ...one }) => (owner === appId ? [one] : []))
        .reverse(),
    };
    if (kind === 'servers' && id === '') return pageOf(world.servers, query);
    if (kind === 'servers' && list !== undefined)
      return pageOf(
        (lists[list] ?? []).filter((one) => one.serverId === id),
        query,
      );
    const own = { tickets: world.tickets, 'workflow-runs': world.runs }[kind]?.get(id);
    const { appId: owner, ...made } = own ?? { appId: undefined };
    const found =
      kind === 'servers' ? world.servers.find((one) => one.id === id) : lists[kind]?.find((one) => one.id === id);
    const object = own && owner === appId ? made : found;
    return object ? { status: 200, body: object } : refused(404, 'not_found');
  }

  function act(path: string, body: Item, appId: string): Answer {
    const [, , , id = ''] = path.split('/');
    if (path.endsWith('/tickets')) {
      if (!world.servers.some((one) => one.id === id)) return refused(404, 'not_found');
      acts.tickets += 1;
      const { category = 'question', priority = 'normal', labels = [], metadata = {}, requester = null } = body;
      const fields = { subject: body.subject, body: body.body, category, priority, labels, metadata, requester };
      const ticket = {
        id: toId('tkt', newUuid()),
        serverId: id,
        number: acts.tickets,
        ...fields,
        status: 'open',
        createdAt: at,
      };
      world.tickets.set(ticket.id, { ...ticket, appId });
      return { status: 201, body: ticket };
    }
    const workflow = world.workflows.find((one) => one.id === id);
    const { input = {} } = body as { input?: Record<string, unknown> };
    if (!workflow?.serverId) return refused(404, 'not_found');
    if (!workflow.enabled) return refused(409, 'conflict', { detail: 'SWITCHED OFF, says the platform' });
    if (input.memberName === undefined)
      return refused(422, 'workflow_input_invalid', { errors: [{ pointer: '/input/memberName' }] });
    acts.runs += 1;
    const steps = [{ name: 'greet', status: 'waiting', startedAt: null, finishedAt: null }];
    const run = {
      workflowId: id,
      serverId: workflow.serverId,
      status: 'queued',
      input,
      output: null,
      steps,
      createdAt: at,
    };
    const created = { id: toId('wfr', newUuid()), ...run, finishedAt: null };
    world.runs.set(created.id, { ...created, appId });
    return { status: 202, body: created };
  }

  /** Carries out each key once. The keys of different apps already differ. */
  function actOnce(path: string, text: string, appId: string, idempotencyKey: string): Answer {
    const request = `${path} ${text}`;
    const stored = world.answers.get(idempotencyKey);
    if (stored && stored.request !== request) return refused(422, 'idempotency_key_reused');
    if (stored) return stored;
    const answer = act(path, JSON.parse(text), appId);
    if (answer.status < 300) world.answers.set(idempotencyKey, { request, ...answer });
    return answer;
  }

  const upstream: ReferenceUpstream = {
    url: '',
    serverIds: world.servers.map(({ id }) => id),
    requests,
    async observeMutations(appId) {
      // Node accepts one connection in each turn of the event loop, in their order. When the request of a new connection
      // has been read, so have the requests of all connections before it.
      const markedMs = await new Promise<number>((resolve, reject) => {
        marks.push(resolve);
        get(upstream.url + MARK, { agent: false }, (response) => response.resume()).on('error', reject);
      });
      return () =>
        requests.filter(
          ({ method, claims, arrivedMs }) => method === 'POST' && claims.sub === appId && arrivedMs > markedMs,
        ).length;
    },
    mutations: acts,
    objects: {
      publication: (serverId) => world.publications.find((one) => one.serverId === serverId)?.id ?? '',
      roadmapItem: (serverId) => world.roadmap.find((one) => one.serverId === serverId)?.id ?? '',
      workflow: (serverId) => world.workflows.find((one) => one.serverId === serverId && one.enabled)?.id ?? '',
      switchedOff: (serverId) => world.workflows.find((one) => one.serverId === serverId && !one.enabled)?.id ?? '',
    },
    respond: undefined,
    before: undefined,
    losesResponses: false,
    deviate: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedMs = performance.now();
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    let text = '';
    for await (const chunk of request) text += chunk;
    const token = String(headers.authorization).replace('Bearer ', '');
    const verified = await jwtVerify(token, key, { audience: upstream.url, issuer: 'slipway:production' }).catch(
      () => undefined,
    );
    const claims: Record<string, unknown> = verified?.payload ?? {};
    requests.push({ method, path: request.url ?? '', headers, claims, arrivedMs });
    if (upstream.respond) return upstream.respond(request, response, text);
    await upstream.before?.(request);
    const other = upstream.deviate?.(request, text);
    if (other) await pause(other.afterMs);
    if (other?.respond && !other.isCarriedOut) return other.respond(request, response, text);
    const appId = String(claims.sub);
    const made = !verified
      ? refused(401, 'unauthorised')
      : method === 'GET'
        ? read(pathname, searchParams, appId)
        : actOnce(pathname, text, appId, String(headers['idempotency-key']));
    if (upstream.losesResponses) return void response.destroy();
    if (other?.respond) return other.respond(request, response, text);
    const type = made.status < 300 ? 'application/json' : 'application/problem+json';
    response.writeHead(made.status, { 'content-type': type }).end(JSON.stringify(made.body));
  }

  const server = createServer((request, response) => {
    if (request.url === MARK) {
      marks.shift()?.(performance.now());
      return void response.end();
    }
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  return upstream;
}
