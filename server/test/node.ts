// Another node of the sandbox's API: its own plane on the same database, with parts that a test may replace.

import type { Plane } from '../src/access/authority/index.ts';
import { openCaptures } from '../src/boot/captures.ts';
import { type OpenPlane, openPlane, type PlaneOptions } from '../src/boot/plane.ts';
import type { ProblemCode } from '../src/kit/openapi/problems.ts';
import { createSandboxApi } from '../src/listeners/sandbox-api.ts';
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
  call(
    method: 'GET' | 'POST',
    path: string,
    token: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<NodeAnswer>;
  close(): Promise<void>;
}

export function startNode(
  sandbox: Sandbox,
  changes: Partial<PlaneOptions> = {},
  exchange: (plane: Plane) => Partial<Plane> = () => ({}),
): ApiNode {
  const open = openPlane({ ...sandbox.options, ...changes });
  const plane = { ...open.plane, ...exchange(open.plane) };
  const onInternalError = (): void => {};
  const { queue: captures } = openCaptures(open, { isAllowed: true, retentionHours: 24 }, onInternalError);
  const api = createSandboxApi(plane, { recorder: open.recorder, captures, trustedProxies: [], onInternalError });
  const violations = watchContract(api, 'api');
  return {
    open,
    async call(method, path, token, body, headers = {}) {
      const response = await api.inject({
        method,
        url: path,
        headers: { ...headers, authorization: `Bearer ${token}` },
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
