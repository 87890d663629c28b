// How each problem of /v1 occurs without a simulation: the conditions and the call.
import { connect } from 'node:net';
import { newKeyToken, SCOPES } from '../src/access/authority/index.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import type { ProblemCode } from '../src/kit/openapi/problems.ts';
import { createSandboxApi } from '../src/listeners/sandbox-api.ts';
import { exampleNewRun } from '../src/resources/workflows/workflow-run.ts';
import { json, type Sandbox } from './app.ts';
import { unreachable } from './freezable-proxy.ts';
import { type ApiNode, startNode } from './node.ts';

export interface ProblemResponse {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

type ProblemCase = () => Promise<ProblemResponse>;

/** Problems that cannot occur without a simulation, with the reason. */
const SIMULATED_ONLY = {
  quota_exceeded: 'quotas limit only objects of the management API',
  gone: 'no deprecation of /v1 has passed its end; the response after an end has its own test',
} as const satisfies Partial<Record<ProblemCode, string>>;

export const simulatedOnly = Object.keys(SIMULATED_ONLY) as ProblemCode[]; // Object.keys loses the literal types

/** Returns the response to these bytes after the server has closed the connection. */
async function send(url: string, text: string): Promise<ProblemResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.split(': ')[1]]);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body: JSON.parse(body) };
}

export async function createProblemCases(sandbox: Sandbox): Promise<Partial<Record<ProblemCode, ProblemCase>>> {
  const app = await sandbox.newApp();
  const { token } = await app.key();
  const query = (text: string, values: unknown[] = []) => sandbox.database.superuser.query(text, values);
  const uuid = fromId('app', app.id) ?? '';
  const [open = '', paused = '', revoked = '', unasked = ''] = app.serverIds;

  async function call(path: string, key: string | undefined = token, init: RequestInit = {}): Promise<ProblemResponse> {
    const { status, headers, body } = await sandbox.call(path, key, init);
    return { status, headers: Object.fromEntries(headers), body };
  }
  const servers = (headers: Record<string, string>): Promise<ProblemResponse> =>
    call('/v1/servers', token, { headers });
  const ticket = (
    headers: Record<string, string> = {},
    body = '{"subject":"s","body":"b"}',
  ): Promise<ProblemResponse> =>
    call(`/v1/servers/${open}/tickets`, token, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const install = (server: string, state: string): Promise<unknown> =>
    sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation`, { state });
  async function workflow(): Promise<string> {
    const list = await sandbox.call<{ data: { id: string }[] }>(`/v1/servers/${open}/workflows`, token);
    return list.body.data.at(-1)?.id ?? '';
  }
  async function onNode(start: () => ApiNode | Promise<ApiNode>): Promise<ProblemResponse> {
    const node = await start();
    try {
      return await node.call('GET', '/v1/servers', token);
    } finally {
      await node.close();
    }
  }

  return {
    invalid_request: () => call('/v1/servers?limit=0'),
    missing_key: () => send(sandbox.apiUrl, 'GET /v1/servers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    invalid_key: () => call('/v1/servers', newKeyToken('sandbox').token),
    expired_key: async () => {
      const own = await app.key();
      await query('alter table keys disable trigger guard_key');
      await query(
        "update keys set created_at = created_at - interval '40 days', expires_at = expires_at - interval '40 days' where key_id = $1",
        [fromId('key', own.id)],
      );
      await query('alter table keys enable trigger guard_key');
      return call('/v1/servers', own.token);
    },
    revoked_key: async () => {
      const own = await app.key();
      await sandbox.manage('POST', `/apps/${app.id}/keys/${own.id}/revoke`);
      return call('/v1/servers', own.token);
    },
    wrong_environment: () => call('/v1/servers', newKeyToken('production').token),
    missing_scope: async () => {
      const { token: poor } = await app.key(SCOPES.filter((scope) => scope !== 'servers:read'));
      return call('/v1/servers', poor);
    },
    scope_not_authorised: async () => {
      await query(
        "delete from installation_scopes where scope = 'servers:read' and installation_id in (select installation_id from installations where app_id = $1 and server_id = $2)",
        [uuid, fromId('srv', unasked)],
      );
      return call(`/v1/servers/${unasked}`);
    },
    installation_paused: async () => {
      await install(paused, 'paused');
      return call(`/v1/servers/${paused}`);
    },
    installation_revoked: async () => {
      await install(revoked, 'revoked');
      return call(`/v1/servers/${revoked}`);
    },
    app_suspended: async () => {
      const other = await sandbox.newApp();
      const { token: key } = await other.key();
      await query("update apps set state = 'suspended' where app_id = $1", [fromId('app', other.id)]);
      return call('/v1/servers', key);
    },
    address_not_allowed: async () => {
      const { token: key } = await app.key();
      await query('alter table keys disable trigger guard_allowed_cidrs');
      await query("update keys set allowed_cidrs = '{192.0.2.0/24}' where kid = $1", [key.split('_')[2]]);
      await query('alter table keys enable trigger guard_allowed_cidrs');
      return call('/v1/servers', key);
    },
    browser_use: () => servers({ origin: 'https://example.org' }),
    not_found: () => call('/v1/servers/srv_nothing'),
    method_not_allowed: () => call('/v1/servers', token, { method: 'DELETE' }),
    not_acceptable: () => servers({ accept: 'text/html' }),
    request_timeout: () => sendSlowly(sandbox, token),
    idempotency_in_progress: async () => {
      const lock = "select pg_advisory_lock(hashtextextended($1 || encode(sha256('busy'), 'hex'), 0))";
      await query(lock, [uuid]);
      try {
        return await ticket({ 'idempotency-key': 'busy' });
      } finally {
        await query(lock.replace('lock', 'unlock'), [uuid]);
      }
    },
    conflict: async () => {
      const id = await workflow();
      await query('update workflows set enabled = false where workflow_id = $1', [fromId('wfl', id)]);
      const met = await call(`/v1/workflows/${id}/runs`, token, json(exampleNewRun));
      await query('update workflows set enabled = true where workflow_id = $1', [fromId('wfl', id)]);
      return met;
    },
    body_too_large: () => ticket({}, JSON.stringify({ subject: 's', body: 'b'.repeat(300_000) })),
    uri_too_long: () => call(`/v1/servers?cursor=${'a'.repeat(9_000)}`),
    unsupported_media_type: () => ticket({ 'content-type': 'text/plain' }),
    idempotency_key_reused: async () => {
      await ticket({ 'idempotency-key': 'used' });
      return ticket({ 'idempotency-key': 'used' }, '{"subject":"another","body":"b"}');
    },
    workflow_input_invalid: async () => call(`/v1/workflows/${await workflow()}/runs`, token, json({ input: {} })),
    rate_limited: async () => {
      const node = startNode(sandbox, { rate: { perSecond: 0.01, burst: 1 } });
      const { token: own } = await app.key();
      await node.call('GET', '/v1/servers', own);
      const met = await node.call('GET', '/v1/servers', own);
      await node.close();
      return met;
    },
    headers_too_large: () => send(sandbox.apiUrl, `GET /v1/me HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`),
    internal_error: () =>
      onNode(() => startNode(sandbox, {}, () => ({ pages: { reply: () => Promise.reject(new Error('broken')) } }))),
    unavailable: () =>
      onNode(async () => startNode(sandbox, { databaseUrl: await unreachable(sandbox.options.databaseUrl) })),
    timeout: async () => {
      await query('begin');
      await query('lock table tickets in access exclusive mode');
      try {
        return await ticket();
      } finally {
        await query('rollback');
      }
    },
  };
}

/** Sends a body of which only the beginning arrives. */
async function sendSlowly(sandbox: Sandbox, token: string): Promise<ProblemResponse> {
  const api = createSandboxApi(sandbox.plane, {
    recorder: sandbox.recorder,
    trustedProxies: [],
    onInternalError: () => {},
  });
  Object.assign(api.server, { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  try {
    return await send(
      url,
      `POST /v1/servers/srv_x/tickets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
  } finally {
    await api.close();
  }
}
