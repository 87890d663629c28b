// Objects that schemathesis calls: a key with every scope, the owner's session and objects, and objects that need a
// second person. Objects that a call may end are separate from those of all other calls.
import { type BenchServer, readNote, signIn } from '../../bench/server.ts';
import { ask, joinOrganisation, signUp } from '../../test/visitor.ts';

/** The number of requests for live access: enough for each step of a member and of an operator. */
const REQUESTS = 8;
/** The number of terminals that wait for a sign-in: enough to deny, approve and show some. */
const TERMINALS = 6;

const liveAccessContents = (scopes: readonly string[]) => ({
  scopes: scopes.slice(0, 2).map((scope) => ({
    scope,
    purpose: 'Our customers open tickets from their own desk.',
    dataUse: 'Names of servers, in Frankfurt, for a day.',
  })),
  contacts: [{ kind: 'security', name: 'Imke', email: 'imke@example.org' }],
});

type Call = <Body>(path: string, change?: { method?: string; body: unknown }) => Promise<Body>;

/** Returns a caller with a session. Throws if a call fails. */
export function callerOf(site: string, cookie: string): Call {
  return async <Body>(path: string, change?: { method?: string; body: unknown }) => {
    const headers = { cookie, 'content-type': 'application/json', 'slipway-console': '1' };
    const write = change && { method: change.method ?? 'POST', headers, body: JSON.stringify(change.body) };
    const answer = await ask<Body>(site + path, write ?? { headers });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}

const foundOrganisation = async (call: Call, name: string): Promise<string> =>
  (await call<{ id: string }>('/organisations', { body: { name } })).id;

const createApp = async (call: Call, organisation: string, name: string): Promise<string> =>
  (await call<{ id: string }>(`/sandbox/organisations/${organisation}/apps`, { body: { name } })).id;

/** Creates requests, each for its own app. Resolves with their paths and the versions to submit. */
async function draftRequests(
  call: Call,
  organisation: string,
  scopes: readonly string[],
): Promise<{ path: string; version: number }[]> {
  const drafts: { path: string; version: number }[] = [];
  for (let at = 0; at < REQUESTS; at++) {
    const appId = await createApp(call, organisation, `Bridge ${at}`);
    const requests = `/organisations/${organisation}/live-access-requests`;
    const { id, version } = await call<{ id: string; version: number }>(requests, { body: { appId } });
    const path = `${requests}/${id}`;
    drafts.push({
      path,
      ...(await call<{ version: number }>(path, { method: 'PUT', body: { version, ...liveAccessContents(scopes) } })),
    });
  }
  return drafts;
}

/**
 * Creates requests of another person, which the owner may decide as an operator without belonging to the organisation.
 */
async function submitLiveAccessRequests(call: Call, scopes: readonly string[]): Promise<void> {
  const drafts = await draftRequests(call, await foundOrganisation(call, 'Harbour Tools'), scopes);
  for (const { path, version } of drafts) await call(`${path}/submit`, { body: { version } });
}

async function startTerminals(call: Call): Promise<string> {
  const codes: string[] = [];
  for (let at = 0; at < TERMINALS; at++) {
    codes.push((await call<{ userCode: string }>('/device-sign-ins', { body: { device: 'imke-laptop' } })).userCode);
  }
  return codes.join();
}

interface ServedDocument {
  components: { securitySchemes: { key: { 'x-scopes': Record<string, string> } } };
}

/** Returns the scopes of the served contract. */
async function readScopes({ apiUrl }: BenchServer): Promise<string[]> {
  const { body } = await ask<ServedDocument>(`${apiUrl}/v1/openapi.json`);
  return Object.keys(body.components.securitySchemes.key['x-scopes']);
}

export interface SchemathesisSetup {
  /** The values that the configuration and the hooks read from the environment. */
  names: Record<string, string>;
  /** Returns the status of reading the main app in the session under test: both must outlast the proof. */
  statusNow(): Promise<number>;
}

export async function prepareSchemathesis(installation: BenchServer): Promise<SchemathesisSetup> {
  const site = `${installation.consoleUrl}/api`;
  const { link } = await readNote(installation);
  const cookie = await signIn(installation, link);
  const call = callerOf(site, cookie);
  const { organisations } = await call<{ organisations: { id: string }[] }>('/session');
  const organisation = organisations[0]?.id ?? '';
  const apps = `/sandbox/organisations/${organisation}/apps`;
  const appId = (await call<{ data: { id: string }[] }>(apps)).data[0]?.id ?? '';
  const scopes = await readScopes(installation);
  // The demo's key has only the scopes of the demo.
  const { token } = await call<{ token: string }>(`${apps}/${appId}/keys`, {
    body: { name: 'schemathesis', scopes, expiresInDays: 1 },
  });
  const members = await call<{ data: { id: string }[] }>(`/organisations/${organisation}/members`);
  await call('/operator/sign-up-policy', { method: 'PUT', body: { policy: 'open', domains: [] } });
  for (const name of ['first', 'second']) {
    await joinOrganisation(installation, { cookie, organisationId: organisation }, `${name}@example.org`);
  }
  await draftRequests(call, organisation, scopes);
  await submitLiveAccessRequests(callerOf(site, await signUp(installation, cookie, 'imke@example.org')), scopes);
  const names = {
    SLIPWAY_PROOF_URL: installation.consoleUrl,
    SLIPWAY_PROOF_KEY: token,
    SLIPWAY_PROOF_SESSION: cookie.replace(/^[^=]*=/, ''),
    SLIPWAY_PROOF_ORGANISATION: organisation,
    SLIPWAY_PROOF_APP: appId,
    SLIPWAY_PROOF_MEMBER: members.data[0]?.id ?? '',
    SLIPWAY_PROOF_SUSPENDED_ORGANISATION: await foundOrganisation(call, 'To be suspended'),
    SLIPWAY_PROOF_USER_CODES: await startTerminals(call),
    // The name in the example of its deletion.
    SLIPWAY_PROOF_DELETED_ORGANISATION: await foundOrganisation(call, 'Harbour Tools'),
    SLIPWAY_PROOF_SPARE_ORGANISATION: await foundOrganisation(call, 'Spare'),
    SLIPWAY_PROOF_SPARE_APP: await createApp(call, organisation, 'Spare'),
  };
  const app = `${site}${apps}/${appId}`;
  return { names, statusNow: async () => (await ask(app, { headers: { cookie } })).status };
}
