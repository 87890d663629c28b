// The cells of changes: each state of a grant x each wanted state, each state of a key that is changed, and calls of
// /v1 by a key's id.
import { expectForm, isOnServer, keyedForms, needsOf, requestOn } from './api-cells.ts';
import type { CallResult } from './calls.ts';
import { expectGrantChange, expectRotation, expectScopeChange } from './changes-model.ts';
import { grantsWith, SOME_GRANTS, type SweptServer } from './grants.ts';
import {
  type ApiCell,
  type ExpectedResponse,
  expectReport,
  GRANTS,
  type Grants,
  KEYS,
  type SweepGrant,
  type SweepKey,
} from './model.ts';
import type { SweptApp } from './object-kinds.ts';
import type { Cell } from './run.ts';
import type { SweepServices } from './sweep-services.ts';
import { swept } from './swept.ts';

const SCOPES = swept.scopes;

type Change = Pick<Cell, 'expected' | 'look'> & { name: string; method: string; path: string; body?: unknown };

function cellOf(home: SweepServices, app: SweptApp, { name, method, path, body, ...rest }: Change): Cell {
  const base = `/api/sandbox/organisations/${home.organisations.own}/apps/${app.id}`;
  const { cookie } = home.people.developer;
  const call = (): Promise<CallResult> => home.callConsole(method, base + path, cookie, body);
  return { name, sameAs: name, tenant: 'app', call, ...rest };
}

const WANTED = GRANTS.filter((state) => state !== 'absent');

/** Yields the cells of grants, each on servers that differ in nothing else. */
export async function grantCells(home: SweepServices): Promise<Cell[]> {
  const { own } = home.apps;
  const states = GRANTS.flatMap((installation): [SweepGrant, SweepGrant][] =>
    installation === 'absent' ? [[installation, 'absent']] : GRANTS.map((scope) => [installation, scope]),
  );
  const begun = states.flatMap(([installation, scope]) => WANTED.map((wanted) => ({ installation, scope, wanted })));
  const servers = await home.makeServers(
    own,
    begun.map(({ installation, scope }) => grantsWith(installation, scope)),
  );
  const wholes = await home.makeServers(
    own,
    begun.map(({ installation, scope }) => grantsWith(installation, scope)),
  );
  const path = (id: string | undefined): string => `/servers/${id}/installation`;
  return begun.flatMap(({ installation, scope, wanted }, at) => {
    const grants = grantsWith(installation, scope);
    const body = { state: wanted };
    const name = `${installation} with ${scope} scopes -> ${wanted}`;
    const whole = cellOf(home, own, {
      name: `setInstallation | ${name}`,
      method: 'PUT',
      path: path(wholes[at]?.ids.serverId),
      body,
      expected: expectGrantChange(installation, wanted),
    });
    return [whole, ...SCOPES.map((one) => scopeCell(one))];

    function scopeCell(one: string): Cell {
      return cellOf(home, own, {
        name: `setInstallationScope | ${one} | ${name}`,
        method: 'PUT',
        path: `${path(servers[at]?.ids.serverId)}/scopes/${one}`,
        body,
        expected: expectScopeChange(grants, one, wanted),
        look: (answer) =>
          answer.status === 200 && stateOf(answer, one) !== wanted ? 'it is in another state' : undefined,
      });
    }
  });
}

function stateOf({ text }: CallResult, scope: string): string | undefined {
  const { installation }: { installation: { scopes: { scope: string; state: string }[] } } = JSON.parse(text);
  return installation.scopes.find((one) => one.scope === scope)?.state;
}

const CHANGED: readonly SweepKey[] = ['active', 'expired', 'revoked', 'rotated, not ended', 'rotated, ended'];

export async function keyChangeCells(home: SweepServices): Promise<Cell[]> {
  const { own } = home.apps;
  const keys = await home.makeKeys(own);
  const always: ExpectedResponse = { status: 200 };
  return CHANGED.flatMap((state) => [
    keyCell('rotateKey', 'POST', `/keys/${keys.id(state, SCOPES.slice(0, 1))}/rotate`, expectRotation(state), {
      expiresInDays: 1,
      overlapHours: 1,
    }),
    keyCell('updateKey', 'PATCH', `/keys/${keys.id(state, SCOPES.slice(1, 2))}`, always, { note: 'known' }),
    keyCell('revokeKey', 'POST', `/keys/${keys.id(state, SCOPES.slice(2, 3))}/revoke`, always),
  ]);

  function keyCell(name: string, method: string, path: string, expected: ExpectedResponse, body?: unknown): Cell {
    return cellOf(home, own, { name: `${name} | ${path}`, method, path, body, expected });
  }
}

/** Yields reports of a leaked key in any state of the key and its app. */
export async function leakCells(home: SweepServices): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const name of ['own', 'suspended', 'deleting'] as const) {
    const keys = await home.makeKeys(home.apps[name]);
    for (const state of KEYS.filter((one) => one !== 'missing')) {
      const body = { key: keys.token(state, [])?.padEnd(60, '_') };
      cells.push({
        name: `reportLeakedKey | ${state} | ${name}`,
        sameAs: '',
        tenant: 'app',
        expected: expectReport(state),
        call: () => home.callApi('POST', '/v1/leaked-keys', undefined, body),
      });
    }
  }
  return cells;
}

/** Returns calls by a key's id, whose result is that of the key itself. */
export async function callCells(home: SweepServices): Promise<Cell[]> {
  const { own, suspended } = home.apps;
  const cells: Cell[] = [];
  for (const form of keyedForms) {
    const addCall = async (owner: SweptApp, key: SweepKey, server: SweptServer): Promise<void> => {
      const app = owner === own ? 'active' : 'suspended';
      const { grants } = server;
      const cell: ApiCell = { key, app, place: 'own', grants };
      const expected = expectForm(form, cell);
      const { path, body } = await requestOn(home, form, owner, server, expected);
      const keyId = owner.keys.id(key, needsOf(form));
      const sent = { keyId, method: form.method, path, body: body === undefined ? undefined : JSON.stringify(body) };
      cells.push(
        cellOf(home, owner, {
          name: `createCall | ${form.name} | ${key} | ${app} | ${grantsText(grants)}`,
          method: 'POST',
          path: '/calls',
          body: sent,
          expected: { status: 200 },
          look: (answer) => lookAtCall(answer, expected),
        }),
      );
    };
    for (const owner of [own, suspended]) {
      const [server] = owner.servers.slice(-SOME_GRANTS.length);
      if (!server) throw new Error('An app has no server.');
      for (const key of ['without scope', ...CHANGED] as const) await addCall(owner, key, server);
    }
    if (!isOnServer(form)) continue;
    for (const server of own.servers.slice(-SOME_GRANTS.length)) await addCall(own, 'active', server);
  }
  return cells;
}

function lookAtCall({ text }: CallResult, { status, code }: ExpectedResponse): string | undefined {
  const response: { status: number; body: string } = JSON.parse(text);
  const is: string | undefined = response.status >= 400 ? JSON.parse(response.body).code : undefined;
  return response.status === status && is === code
    ? undefined
    : `expected ${status} ${code}, got ${response.status} ${is}`;
}

const grantsText = (grants: Grants | undefined): string =>
  grants ? `${grants.installation} ${Object.values(grants.scopes)[0]}` : '';
