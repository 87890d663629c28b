// Tries the secrets and identifiers of each environment in the other one. The processes have the same pepper, master
// key and management key, so that the separation does not depend on different secrets.
import { SignJWT } from 'jose';
import {
  type Actor,
  consoleActor,
  SCOPES,
  signAssertion,
  signConsoleAssertion,
} from '../../server/src/access/authority/index.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { secret } from '../../server/src/kit/crypto/secret.ts';
import { ISSUER } from '../../server/src/production/gateway/index.ts';
import { IDENTITY_KEY } from '../../server/test/reference-upstream.ts';
import { INGEST_KEY } from '../../test/production-instance.ts';
import { ask } from '../../test/visitor.ts';
import type { Check } from '../kit.ts';
import type { ProductionSetup } from './setup.ts';

type Name = 'sandbox' | 'production';
interface Side {
  name: Name;
  apiUrl: string;
  managementUrl: string;
  token: string;
  serverId: string;
}

const bearer = (token: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
});
const post = (token: string, body: object, more: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  ...bearer(token, more),
});

async function startSandbox(setup: ProductionSetup, owner: Actor): Promise<Side> {
  const { instance, settings, postgres } = setup;
  const same = Object.entries(settings).flatMap(([name, value]) =>
    /_(PEPPER|MASTER_KEY|MANAGEMENT_KEY)$/.test(name) ? [[name.replace('PRODUCTION', 'SANDBOX'), value]] : [],
  );
  const own = {
    ...Object.fromEntries(same),
    SLIPWAY_SANDBOX_DATABASE_URL: postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL,
  };
  await instance.start(own, ['api', '--environment', 'sandbox']).ready;
  const managementUrl = `http://127.0.0.1:${instance.ports.management}`;
  const proof = await signAssertion(owner, 'sandbox', secret(settings.SLIPWAY_PRODUCTION_MANAGEMENT_KEY ?? ''));
  const apps = `${managementUrl}/organisations/${setup.organisationId}/apps`;
  const app = await ask<{ id: string }>(apps, post(proof, { name: 'Of the sandbox' }));
  const input = { name: 'Test', scopes: SCOPES, expiresInDays: 30 };
  const key = await ask<{ token: string }>(`${apps}/${app.body.id}/keys`, post(proof, input));
  const servers = await ask<{ data: { id: string }[] }>(`${instance.apiUrl}/v1/servers`, bearer(key.body.token));
  const serverId = servers.body.data[0]?.id ?? '';
  return { name: 'sandbox', apiUrl: instance.apiUrl, managementUrl, token: key.body.token, serverId };
}

/** Tries each object of `of` at `at`. Returns its response, and the expected one. */
async function callOtherPlane(
  of: Side,
  at: Side,
  setup: ProductionSetup,
  owner: Actor,
): Promise<[string, unknown, unknown][]> {
  const key = secret(setup.settings.SLIPWAY_PRODUCTION_MANAGEMENT_KEY ?? '');
  const answerOf = async (url: string, init: RequestInit = {}): Promise<string> => {
    const { status, body } = await ask(url, init);
    return status < 300 ? String(status) : `${status} ${body.code}`;
  };
  const api = (path: string, token = at.token) => answerOf(`${at.apiUrl}/v1${path}`, bearer(token));
  const cursorOf = async ({ apiUrl, token }: Side): Promise<string> =>
    String((await ask(`${apiUrl}/v1/servers?limit=1`, bearer(token))).body.nextCursor);
  const ticket = async ({ apiUrl, token, serverId }: Side) => {
    const input = { subject: 'The same', body: 'In both.' };
    const init = post(token, input, { 'idempotency-key': `of ${of.name} at ${at.name}` });
    const { status, headers, body } = await ask<{ id: string }>(`${apiUrl}/v1/servers/${serverId}/tickets`, init);
    return { status, isReplayed: headers.has('idempotent-replayed'), id: body.id };
  };
  const identity = await new SignJWT({ environment: 'production', scopes: SCOPES })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(IDENTITY_KEY));
  const apps = `${at.managementUrl}/organisations/${setup.organisationId}/apps`;
  const [theirs, ours] = [await ticket(of), await ticket(at)];
  return [
    ['its own key', await api('/me'), '200'],
    ['a key', await api('/me', of.token), '401 wrong_environment'],
    ['the token of a forwarded request', await api('/me', identity), '401 invalid_key'],
    ['a server', await api(`/servers/${of.serverId}`), '404 not_found'],
    ['a ticket', await api(`/tickets/${theirs.id}`), '404 not_found'],
    ['its own cursor', await api(`/servers?cursor=${await cursorOf(at)}`), '200'],
    ['a cursor', await api(`/servers?cursor=${await cursorOf(of)}`), '400 invalid_request'],
    ['an idempotency key', [ours.status, ours.isReplayed, ours.id === theirs.id].join(), '201,false,false'],
    [
      "a person's assertion",
      await answerOf(apps, bearer(await signAssertion(owner, of.name, key))),
      '401 sign_in_required',
    ],
    [
      "the Console's assertion",
      await answerOf(
        `${at.managementUrl}/console/notices/pull`,
        post(await signConsoleAssertion(of.name, key), { taken: [] }),
      ),
      '401 sign_in_required',
    ],
    [
      'the management key itself',
      await answerOf(`${at.managementUrl}/ingest/events`, post(key.reveal(), {})),
      at.name === 'sandbox' ? '404 not_found' : '401 sign_in_required',
    ],
    ['the ingest key of the upstream API', await answerOf(apps, bearer(INGEST_KEY)), '401 sign_in_required'],
  ];
}

export async function checkPlaneIsolation(setup: ProductionSetup): Promise<Check[]> {
  const organisationId = fromId('org', setup.organisationId) ?? '';
  const owner: Actor = {
    ...consoleActor(organisationId),
    ...{ kind: 'person', personId: 'p', name: 'imke@example.org', hasFreshFactor: true },
  };
  const sandbox = await startSandbox(setup, owner);
  const production: Side = {
    name: 'production',
    apiUrl: setup.apiUrl,
    managementUrl: `http://127.0.0.1:${setup.settings.SLIPWAY_PRODUCTION_MANAGEMENT_PORT}`,
    token: setup.token,
    serverId: setup.upstream.serverIds[0] ?? '',
  };
  const pairs = [
    [sandbox, production],
    [production, sandbox],
  ] as const;
  const checks: Check[] = [];
  for (const [of, at] of pairs) {
    for (const [what, actual, wanted] of await callOtherPlane(of, at, setup, owner)) {
      checks.push({
        name: `of the ${of.name}, in the ${at.name}: ${what}`,
        ok: actual === wanted,
        figure: String(actual),
      });
    }
  }
  const simulated = await ask(
    `${production.apiUrl}/v1/servers`,
    bearer(production.token, { 'sandbox-simulate': 'rate_limited' }),
  );
  const figure = String(simulated.status);
  return [...checks, { name: 'production does not simulate faults', ok: simulated.status === 200, figure }];
}
