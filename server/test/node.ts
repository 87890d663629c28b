// Another node of the sandbox's API: a plane of its own on the same database, whose parts a test may exchange.

import { newKeyToken, type Plane, verifierOf } from '../src/features/authority/index.ts';
import { newUuid } from '../src/kit/ids.ts';
import type { ProblemCode } from '../src/kit/problems.ts';
import { type OpenPlane, openPlane, type PlaneOptions } from '../src/plane.ts';
import { createProductionApi } from '../src/production-api.ts';
import { createSandboxApi } from '../src/sandbox-api.ts';
import type { Sandbox } from './app.ts';
import { assertContract, watchContract } from './contract-check.ts';

export interface NodeAnswer {
  status: number;
  code: ProblemCode | undefined;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

export interface ApiNode {
  open: OpenPlane;
  call(method: 'GET' | 'POST', path: string, token: string, body?: object): Promise<NodeAnswer>;
  close(): Promise<void>;
}

export function startNode(
  sandbox: Sandbox,
  changes: Partial<PlaneOptions> = {},
  exchange: (plane: Plane) => Partial<Plane> = () => ({}),
): ApiNode {
  const open = openPlane({ ...sandbox.options, ...changes });
  const plane = { ...open.plane, ...exchange(open.plane) };
  const api = createSandboxApi(plane, { recorder: open.recorder, trustedProxies: [], onInternalError: () => {} });
  const violations = watchContract(api, 'api');
  return {
    open,
    async call(method, path, token, body) {
      const response = await api.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { payload: body }),
      });
      const answer = response.json<Record<string, unknown> & { code?: ProblemCode }>();
      return { status: response.statusCode, code: answer.code, headers: response.headers, body: answer };
    },
    async close() {
      await api.close();
      await open.close();
      assertContract(violations);
    },
  };
}

/** A production plane's API on the same database, with an app and a key of its own. */
export async function startProductionNode(sandbox: Sandbox) {
  const open = openPlane({ ...sandbox.options, environment: 'production' });
  const api = createProductionApi(open.plane, {
    recorder: open.recorder,
    trustedProxies: [],
    onInternalError: () => {},
  });
  const { token, kid } = newKeyToken('production');
  const { current, keys } = sandbox.options.peppers;
  const verifier = keys[current] && verifierOf(token, keys[current]);
  const appId = newUuid();
  const { superuser } = sandbox.database;
  await superuser.query("insert into apps (app_id, organisation_id, name, created_by) values ($1, $2, 'Live', 'c')", [
    appId,
    newUuid(),
  ]);
  await superuser.query(
    `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, 'Live', '{servers:read}', 'c', now(), now() + interval '1 day')`,
    [appId, newUuid(), kid, verifier, current],
  );
  return {
    appId,
    async call(path: string, headers: Record<string, string>) {
      const response = await api.inject({
        url: path,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
    },
    async close() {
      await api.close();
      await open.close();
    },
  };
}
