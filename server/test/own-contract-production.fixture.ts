// Production with an operator's contract, and a reference upstream API made from the contract. SLIPWAY_CONTRACT must be
// set before this module is imported.
import { get } from 'node:http';
import { type Actor, SCOPES, signAssertion } from '../src/access/authority/index.ts';
import { toId } from '../src/kit/crypto/ids.ts';
import { type Answer, ask } from './app.ts';
import { type ContractUpstream, startContractUpstream } from './contract-upstream.ts';
import { until } from './harness.ts';
import { INGEST_KEY, type LiveApp, type Production, startProduction } from './production.fixture.ts';

type State = 'authorised' | 'paused' | 'revoked';

export interface ReceivedEvent {
  type: string;
  serverId: string;
  sequence: number;
  subject: { type: string; id: string };
  data: object;
}

export interface OwnProduction {
  upstream: ContractUpstream;
  production: Production;
  /** Reports to production as the upstream API. */
  ingest<Body = Record<string, unknown>>(method: string, path: string, body: unknown): Promise<Answer<Body>>;
  /** Reports the access of an app, to `account` or to `grantors/ID`; scopes that are not named are authorised. */
  grant(app: LiveApp, target: string, state?: State, scopes?: Record<string, State>): Promise<Answer>;
  /** Calls the management API as an owner. */
  manage<Body>(app: LiveApp, method: string, path: string): Promise<Answer<Body>>;
  /** Resolves to the status of a GET request. Unlike fetch, it sends a path with dots as written. */
  statusOfRaw(path: string, token: string): Promise<number | undefined>;
  /** Resolves to the events of resources, once the feed shows this number of them. */
  events(token: string, count: number): Promise<ReceivedEvent[]>;
  close(): Promise<void>;
}

export async function startOwnProduction(): Promise<OwnProduction> {
  const upstream = await startContractUpstream();
  const production = await startProduction({}, { url: upstream.url });
  let version = 0;
  const own: OwnProduction = {
    upstream,
    production,
    ingest: (method, path, body) =>
      ask(`${production.managementUrl}/ingest${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${INGEST_KEY}` },
        body: JSON.stringify(body),
      }),
    grant(app, target, state = 'authorised', scopes = {}) {
      version += 1;
      const grants = SCOPES.map((scope) => ({ scope, state: scopes[scope] ?? 'authorised' }));
      return own.ingest('PUT', `/apps/${app.id}/${target}`, { version, serverName: target, state, scopes: grants });
    },
    async manage(app, method, path) {
      const { organisationId } = app;
      const person = { kind: 'person', personId: 'p', name: 'p@example.org', role: 'owner', address: null } as const;
      const actor: Actor = { ...person, organisationId };
      const assertion = await signAssertion(actor, 'production', production.options.managementKey);
      const base = `${production.managementUrl}/organisations/${toId('org', organisationId)}/apps/${app.id}`;
      return ask(base + path, { method, headers: { authorization: `Bearer ${assertion}` } });
    },
    statusOfRaw(path, token) {
      const { hostname, port } = new URL(production.apiUrl);
      const headers = { authorization: `Bearer ${token}` };
      return new Promise((resolve, reject) => {
        get({ hostname, port, path, headers }, (response) => resolve(response.resume().statusCode)).on('error', reject);
      });
    },
    events: (token, count) =>
      until(async () => {
        const { body } = await production.call<{ data: ReceivedEvent[] }>('/v1/events?limit=100', token);
        const found = body.data.filter(({ type }) => !type.startsWith('installation.'));
        return found.length >= count && found;
      }),
    async close() {
      await production.close();
      await upstream.close();
    },
  };
  return own;
}
