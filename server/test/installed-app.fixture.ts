// An app in production with access to one server of the upstream API, and a member who restricts it.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { GrantState, Scope } from '../src/access/authority/index.ts';
import type { ResourceScope } from '../src/resources/events/index.ts';
import { json } from './app.ts';
import { type LiveApp, type Production, startProduction } from './production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from './reference-upstream.ts';
import { grantOn, manage, orderCap, report, restrict, state } from './restrictions.fixture.ts';

/**
 * Prepares production and an upstream API for the whole file. Before each test it creates an app with a key and access
 * to the first server.
 */
export function useInstalledApp() {
  let upstream: ReferenceUpstream;
  let production: Production;
  let app: LiveApp;
  let token: string;
  beforeAll(async () => {
    upstream = await startReferenceUpstream();
    production = await startProduction({}, { url: upstream.url });
  });
  afterAll(async () => {
    expect(production.errors).toEqual([]);
    await production.close();
    await upstream.close();
  });
  const serverAt = (index: number): string => upstream.serverIds[index] ?? '';
  const states = (serverId: string, whole: GrantState, scopes?: Partial<Record<Scope, GrantState>>, version?: number) =>
    state(production, app, serverId, whole, scopes, version);
  beforeEach(async () => {
    app = await production.newApp();
    ({ token } = await app.key());
    await states(serverAt(0), 'authorised');
  });
  return {
    production: () => production,
    upstreamApi: () => upstream,
    app: () => app,
    /** Creates another app, which the other functions use from here on. No report names it yet. */
    async newApp() {
      app = await production.newApp();
      ({ token } = await app.key());
      return app;
    },
    /** Returns the server that authorised the app. */
    server: () => serverAt(0),
    serverAt,
    /** Reports the installation of a server through the upstream API. */
    state: states,
    /** Reports through the upstream API an event of the app on the server, with a resource of this scope. */
    report: (scope: ResourceScope, serverId: string) => report(production, app, scope, serverId),
    /** Sets the state of a server, or of one scope on it, as a member. */
    restrict: (serverId: string, wanted: GrantState, scope?: Scope, reason?: string) =>
      restrict(production, app, serverId, wanted, scope, reason),
    orderCap: (most: number | null) => orderCap(production, app, most),
    grantOn: (serverId: string) => grantOn(production, app, serverId),
    manage: <Body = Record<string, unknown>>(
      method: string,
      path: string,
      body?: unknown,
      role?: Parameters<typeof manage>[5],
    ) => manage<Body>(production, app, method, path, body, role),
    /** Returns the problem code of a read on the first server; undefined on success. */
    read: async () => (await production.call(`/v1/servers/${serverAt(0)}`, token)).body.code,
    /** Returns the problem code of a mutation on the first server; undefined on success. */
    async write() {
      const ticket = json({ subject: 'Cannot join', body: 'Since this morning.' });
      return (await production.call(`/v1/servers/${serverAt(0)}/tickets`, token, ticket)).body.code;
    },
    call: (path: string) => production.call(path, token),
    query: async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await production.database.superuser.query(text, values)).rows as Row[],
  };
}
