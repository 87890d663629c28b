// Personal access tokens: what they allow, what they never allow, and when they end.

import { crc32 } from 'node:zlib';
import { SlipwayProblem } from '@slipway/sdk';
import { createManagement } from '@slipway/sdk/management';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { newToken } from '../../kit/crypto/token.ts';
import { redactKeys } from '../../kit/text/redact.ts';
import { consoleOperations } from '../../listeners/console.ts';

let site: TestConsole;
let home: TestOrganisation;
let apps: string;
beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
  apps = `/api/sandbox${home.base.replace('/api', '')}/apps`;
});
afterAll(() => site.close());

interface CreatedToken {
  accessToken: { id: string; kid: string };
  token: string;
}
interface Bearer {
  id: string;
  token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

const statusAndCode = ({ status, body }: Answer): unknown[] => [status, body?.code];
const tokens = (): string => `${home.base}/access-tokens`;
const tokenRequest = (scope = 'write') => ({ name: 'A script', scope, expiresInDays: 1 });
// A script sends no cookie, no Origin and none of the Console's own headers.
const SCRIPT = { origin: undefined, 'slipway-console': undefined };

/** Returns a well-formed token with this body, whether it was issued or not. */
function withChecksum(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = crc32(body);
  return body + [5, 4, 3, 2, 1, 0].map((place) => digits[Math.floor(value / 62 ** place) % 62]).join('');
}

function bearer(token: string, visitor: TestVisitor = site.newVisitor()): Bearer['call'] {
  return (method, path, body, headers = {}) =>
    visitor.call(method, path, body, { ...SCRIPT, authorization: `Bearer ${token}`, ...headers });
}
async function newBearer(owner: JoinedMember, scope = 'write'): Promise<Bearer> {
  const { body } = await owner.visitor.call<CreatedToken>('POST', tokens(), tokenRequest(scope));
  return { id: body.accessToken.id, token: body.token, call: bearer(body.token) };
}

test('an access token opens the management API for a script, within its scope, and the audit log names it', async () => {
  const { id, token, call } = await newBearer(home.owner);
  expect(token).toMatch(/^slp_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
  const app = await call('POST', apps, { name: 'By a script' });
  expect(app.status).toBe(201);
  expect((await call('GET', `${home.base}/members`)).status).toBe(200);
  const { rows } = await site.plane.database.superuser.query('select actor_kind, actor_id, actor from audit_entries');
  expect(rows.at(-1)).toEqual({ actor_kind: 'token', actor_id: id, actor: home.owner.person.email });

  const reader = await newBearer(home.owner, 'read');
  expect((await reader.call('GET', `${apps}/${app.body.id}/keys`)).status).toBe(200);
  const refused = await reader.call('POST', apps, { name: 'No' });
  expect(statusAndCode(refused)).toEqual([403, 'access_token_not_allowed']);
  expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope');
});

test('the SDK sends an access token', async () => {
  const { token } = await newBearer(home.owner, 'read');
  const client = createManagement({ baseUrl: site.url, token });
  const { data } = await client.listMembers({ organisationId: home.id });
  expect(data.map(({ email }) => email)).toContain(home.owner.person.email);
  const wrong = createManagement({
    baseUrl: site.url,
    token: `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`,
  });
  await expect(wrong.listMembers({ organisationId: home.id })).rejects.toThrow(SlipwayProblem);
});

test('an access token has the permissions of its owner’s current role', async () => {
  const member = await home.join('developer');
  const { call } = await newBearer(member);
  expect((await call('POST', apps, { name: 'One' })).status).toBe(201);
  await home.setRole(member, 'viewer');
  expect(statusAndCode(await call('POST', apps, { name: 'Two' }))).toEqual([403, 'role_not_allowed']);
});

test('an access token ends with the membership, with its revocation and with its expiry', async () => {
  const member = await home.join('developer');
  const removed = await newBearer(member);
  const revoked = await newBearer(home.owner);
  const expired = await newBearer(home.owner);
  await home.owner.visitor.call('POST', `${home.base}/members/${member.memberId}/remove`, { keys: 'keep' });
  expect((await home.owner.visitor.call('DELETE', `${tokens()}/${revoked.id}`)).status).toBe(204);
  await site.database.superuser.query(
    "update access_tokens set created_at = now() - interval '2 days', expires_at = now() where kid = $1",
    [expired.token.slice(4, 16)],
  );
  for (const { call } of [removed, revoked, expired]) {
    expect(statusAndCode(await call('GET', apps))).toEqual([401, 'invalid_access_token']);
  }
  expect((await expired.call('GET', apps)).body.detail).toBe('The access token has expired.');
  // After joining again, an earlier token stays invalid.
  const { body } = await home.owner.visitor.call<{ url: string }>('POST', `${home.base}/invitations`, {
    email: member.person.email,
    role: 'developer',
  });
  await member.visitor.call('POST', '/api/invitations/accept', { token: body.url.split('#token=')[1] });
  expect((await member.visitor.call('GET', apps)).status).toBe(200);
  expect(statusAndCode(await removed.call('GET', apps))).toEqual([401, 'invalid_access_token']);
});

test('an access token opens nothing of a suspended organisation, and nothing for an unverified owner', async () => {
  const { superuser } = site.database;
  const member = await home.join('developer');
  const { call } = await newBearer(member);
  await superuser.query("update organisations set suspended_reason = 'Unpaid.', suspended_at = now()");
  for (const path of [apps, '/api/caller', '/api/environments']) {
    expect(statusAndCode(await call('GET', path))).toEqual([403, 'organisation_suspended']);
  }
  await superuser.query('update organisations set suspended_reason = null, suspended_at = null');
  expect((await call('GET', apps)).status).toBe(200);
  await superuser.query('update "user" set "emailVerified" = false where id = $1', [member.person.id]);
  expect(statusAndCode(await call('GET', apps))).toEqual([401, 'invalid_access_token']);
});

test('an access token finds nothing in other organisations of its owner', async () => {
  const { call } = await newBearer(home.owner);
  const other = await home.owner.visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Another' });
  const without = ({ text, body }: Answer): string => text.replace(String(body.requestId), '');
  const own = await call('GET', `/api/sandbox/organisations/${other.body.id}/apps`);
  const none = await call('GET', `/api/sandbox/organisations/${toId('org', newUuid())}/apps`);
  expect([statusAndCode(own), without(own)]).toEqual([[404, 'not_found'], without(none)]);
  expect((await home.owner.visitor.call('GET', `/api/sandbox/organisations/${other.body.id}/apps`)).status).toBe(200);
});

describe('a request with an access token and a cookie', () => {
  test('is refused in the same way for each kind of invalid token', async () => {
    const { token } = await newBearer(home.owner);
    const unknown = newToken('slp_').token;
    const swapped = withChecksum(token.slice(0, 17) + unknown.slice(17, 49));
    expect(withChecksum(token.slice(0, -6))).toBe(token);
    const texts = await Promise.all(
      [`${token.slice(0, -1)}!`, unknown, swapped, 'slp_', `${token}x`, token.toLowerCase()].map(async (text) => {
        const answer = await bearer(text, home.owner.visitor)('GET', apps);
        expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
        return [answer.status, answer.text.replace(String(answer.body.requestId), '')].join(' ');
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('401');
  });

  test('uses only a valid token', async () => {
    const { visitor } = await site.newPerson(); // a member of no organisation
    const { token } = await newBearer(home.owner, 'read');
    expect((await bearer(token, visitor)('GET', apps)).status).toBe(200);
    expect(statusAndCode(await bearer(token, home.owner.visitor)('POST', apps, { name: 'No' }))).toEqual([
      403,
      'access_token_not_allowed',
    ]);
  });

  test('ignores other credentials in the Authorization header', async () => {
    for (const authorization of ['Basic eDp5', 'Bearer eyJhbGciOiJub25lIn0.e30.']) {
      expect((await home.owner.visitor.call('GET', apps, undefined, { authorization })).status).toBe(200);
      const bare = await home.owner.visitor.call('POST', apps, { name: 'x' }, { ...SCRIPT, authorization });
      expect(statusAndCode(bare)).toEqual([403, 'cross_site_request']);
    }
  });

  test('is refused from a page of another site', async () => {
    const { call } = await newBearer(home.owner);
    const answer = await call('GET', apps, undefined, { origin: 'https://evil.example' });
    expect(statusAndCode(answer)).toEqual([403, 'cross_site_request']);
  });
});

// Forwarded operations and lists accept tokens. The other operations are about people, accounts and tokens.
const closedToTokens = consoleOperations([]).filter(
  ({ access }) => access.security === 'session' && access.alternativeSecurity === undefined,
);

test('an access token cannot change people, accounts and tokens, including itself', async () => {
  const { id, call } = await newBearer(home.owner);
  const ids: Record<string, string> = { organisationId: home.id, memberId: home.owner.memberId, accessTokenId: id };
  const names = closedToTokens.map((operation) => operation.id);
  expect(names).toEqual(
    expect.arrayContaining(['createAccessToken', 'setPassword', 'changeMember', 'createInvitation']),
  );
  for (const operation of closedToTokens) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? toId('inv', newUuid()));
    const [example] = Object.values(operation.examples ?? {});
    const answer = await call(operation.method, path, example);
    expect([operation.id, ...statusAndCode(answer)]).toEqual([operation.id, 403, 'access_token_not_allowed']);
  }
});

test('an owner sees their own access tokens, managers see all, and no member revokes tokens of a more privileged role', async () => {
  const developer = await home.join('developer');
  const admin = await home.join('admin');
  const theirs = await newBearer(developer, 'read');
  const owners = await newBearer(home.owner, 'read');
  const seenBy = async ({ visitor }: JoinedMember): Promise<string[]> => {
    const list = await visitor.call<{ data: { id: string }[] }>('GET', `${tokens()}?limit=100`);
    expect(list.text).not.toContain(theirs.token.slice(17));
    return list.body.data.map((one) => one.id);
  };
  const revoke = ({ visitor }: JoinedMember, id: string) => visitor.call('DELETE', `${tokens()}/${id}`);
  expect(await seenBy(developer)).toEqual([theirs.id]);
  expect(await seenBy(admin)).toEqual(expect.arrayContaining([theirs.id, owners.id]));
  expect(statusAndCode(await revoke(developer, owners.id))).toEqual([404, 'not_found']);
  expect(statusAndCode(await revoke(admin, owners.id))).toEqual([403, 'role_not_allowed']);
  expect((await revoke(admin, theirs.id)).status).toBe(204);
  expect(statusAndCode(await theirs.call('GET', apps))).toEqual([401, 'invalid_access_token']);
});

test('an access token shows the time and the address of its last use', async () => {
  const { id, call } = await newBearer(home.owner, 'read');
  const used = async () => {
    const list = await home.owner.visitor.call<{ data: Record<string, unknown>[] }>('GET', `${tokens()}?limit=100`);
    return list.body.data.find((one) => one.id === id);
  };
  expect(await used()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
  await call('GET', apps);
  expect(await used()).toMatchObject({ lastUsedAt: expect.any(String), lastUsedFrom: expect.stringMatching(/^192\./) });
});

test('an access token is stored only as a hash, lives at most a year, and counts towards a limit of 20', async () => {
  const member = await home.join('viewer');
  const first = await newBearer(member, 'read');
  for (const table of ['access_tokens', 'audit_entries']) {
    const { rows } = await site.database.superuser.query(`select t::text as row from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(first.token.slice(17));
  }
  expect(redactKeys(`?t=${first.token}`)).toBe(`?t=${first.token.slice(0, 16)}_[secret]`);
  const long = { ...tokenRequest(), expiresInDays: 366 };
  expect((await member.visitor.call('POST', tokens(), long)).body.errors).toMatchObject([
    { pointer: '/expiresInDays' },
  ]);
  const longer = "update access_tokens set expires_at = created_at + interval '366 days'";
  await expect(site.database.superuser.query(longer)).rejects.toThrow(/check/);
  for (let made = 1; made < 20; made++) await newBearer(member, 'read');
  expect(statusAndCode(await member.visitor.call('POST', tokens(), tokenRequest()))).toEqual([409, 'quota_exceeded']);
});
