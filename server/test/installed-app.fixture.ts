// An app in production that the upstream API lets in on one server, and a member who restricts it.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Scope } from '../src/access/authority/index.ts';
import { json } from './app.ts';
import { type LiveApp, type Production, startProduction } from './production.fixture.ts';
import { type Platform, startPlatform } from './reference-platform.ts';
import { grantOn, manage, orderCap, restrict, type State, state } from './restrictions.fixture.ts';

/** For the whole file: production and an upstream API. Before each test: a new app with a key, which the first server has authorised. */
export function useInstalledApp() {
  let platform: Platform;
  let production: Production;
  let app: LiveApp;
  let token: string;
  beforeAll(async () => {
    platform = await startPlatform();
    production = await startProduction({}, { url: platform.url });
  });
  afterAll(async () => {
    expect(production.errors).toEqual([]);
    await production.close();
    await platform.close();
  });
  const serverAt = (index: number): string => platform.serverIds[index] ?? '';
  const states = (serverId: string, whole: State, scopes?: Partial<Record<Scope, State>>, version?: number) =>
    state(production, app, serverId, whole, scopes, version);
  beforeEach(async () => {
    app = await production.newApp();
    ({ token } = await app.key());
    await states(serverAt(0), 'authorised');
  });
  return {
    production: () => production,
    platform: () => platform,
    app: () => app,
    /** From here on the other functions are about another app, which no statement names yet. */
    async newApp() {
      app = await production.newApp();
      ({ token } = await app.key());
      return app;
    },
    /** The server that authorised the app. */
    server: () => serverAt(0),
    serverAt,
    /** The upstream API states what a server allows. */
    state: states,
    /** A member gives a server, or one scope on it, a state. */
    restrict: (serverId: string, wanted: State, scope?: Scope, reason?: string) =>
      restrict(production, app, serverId, wanted, scope, reason),
    orderCap: (most: number | null) => orderCap(production, app, most),
    grantOn: (serverId: string) => grantOn(production, app, serverId),
    manage: <Body = Record<string, unknown>>(
      method: string,
      path: string,
      body?: unknown,
      role?: Parameters<typeof manage>[5],
    ) => manage<Body>(production, app, method, path, body, role),
    /** The code of the refusal of a read on the first server. */
    read: async () => (await production.call(`/v1/servers/${serverAt(0)}`, token)).body.code,
    /** The code of the refusal of a mutation on the first server. */
    async write() {
      const ticket = json({ subject: 'Cannot join', body: 'Since this morning.' });
      return (await production.call(`/v1/servers/${serverAt(0)}/tickets`, token, ticket)).body.code;
    },
    call: (path: string) => production.call(path, token),
    query: async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await production.database.superuser.query(text, values)).rows as Row[],
  };
}
