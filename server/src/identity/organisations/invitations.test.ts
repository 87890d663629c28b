// Invitations: their acceptance, once and by the addressee; and the checks of every Console operation on an
// organisation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import {
  foundOrganisation,
  type JoinedMember,
  runConcurrently,
  type TestOrganisation,
} from '../../../test/organisation.fixture.ts';
import { type Action, isActionAllowed, ROLES } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { consoleOperations } from '../../listeners/console.ts';

let site: TestConsole;
let home: TestOrganisation;
beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
afterAll(() => site.close());

interface CreatedInvitation {
  invitation: { id: string; state: string };
  url: string;
}
const statusAndCode = ({ status, body }: Answer): unknown[] => [status, body?.code];
const tokenOf = (url: string): string => url.split('#token=')[1] ?? '';
const invite = async (email: string, role = 'developer', by = home.owner): Promise<{ id: string; token: string }> => {
  const { body } = await by.visitor.call<CreatedInvitation>('POST', `${home.base}/invitations`, { email, role });
  return { id: body.invitation.id, token: tokenOf(body.url) };
};
const accept = (visitor: TestVisitor, token: string): Promise<Answer> =>
  visitor.call('POST', '/api/invitations/accept', { token });
const actionsOf = async (target: string): Promise<string[]> => {
  const { rows } = await site.database.superuser.query(
    'select action from audit_entries where target = $1 order by sequence',
    [target],
  );
  return rows.map(({ action }) => action);
};
const stateOf = async (id: string): Promise<string | undefined> => {
  const list = await home.owner.visitor.call<{ data: { id: string; state: string }[] }>(
    'GET',
    `${home.base}/invitations?limit=100`,
  );
  return list.body.data.find((one) => one.id === id)?.state;
};

describe('an invitation', () => {
  test('makes its addressee a member in its role, once, and is in the audit log', async () => {
    const { person, visitor } = await site.newPerson();
    const { id, token } = await invite(person.email.toUpperCase());
    expect(await stateOf(id)).toBe('open');
    expect((await accept(visitor, token)).body).toEqual({ id: home.id, name: 'Harbour Tools', role: 'developer' });
    const session = await visitor.call<{ organisations: object[] }>('GET', '/api/session');
    expect(session.body.organisations).toEqual([{ id: home.id, name: 'Harbour Tools', role: 'developer' }]);
    expect(statusAndCode(await accept(visitor, token))).toEqual([410, 'invitation_used']);
    expect([await stateOf(id), await actionsOf(id)]).toEqual(['accepted', ['invitation.create', 'invitation.accept']]);
    const again = await home.owner.visitor.call('POST', `${home.base}/invitations`, {
      email: person.email,
      role: 'viewer',
    });
    expect(statusAndCode(again)).toEqual([409, 'conflict']);
  });

  test('is accepted once by concurrent requests', async () => {
    const { person, visitor } = await site.newPerson();
    const { token } = await invite(person.email);
    const answers = await runConcurrently(
      site,
      [1, 2, 3].map(() => () => accept(visitor, token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  test('is mailed with its token after the #, and stored only as a hash', async () => {
    const { token } = await invite('mailed@example.org');
    const { rows } = await site.database.superuser.query('select text from outbox where recipient = $1', [
      'mailed@example.org',
    ]);
    const mailed = /^http:\/\/localhost:7000\/invitation#token=(\S+)$/m.exec(rows[0].text)?.[1] ?? '';
    // The inviter never sees the mailed link, which proves the address.
    expect([mailed.length, mailed === token]).toEqual([token.length, false]);
    const kept = await site.database.superuser.query('select i::text as row from invitations i');
    const audited = await site.database.superuser.query('select a::text as row from audit_entries a');
    for (const one of [token, mailed]) expect(JSON.stringify([kept.rows, audited.rows])).not.toContain(one);
    expect(token.length).toBeGreaterThanOrEqual(43);
  });

  test('is refused for another account with invitation_not_yours while it is open, and afterwards like a guessed token', async () => {
    const { person, visitor } = await site.newPerson();
    const { visitor: other } = await site.newPerson();
    const { token } = await invite(person.email);
    const without = ({ text, body }: Answer): string => text.replace(String(body.requestId), '');
    const guess = await accept(other, 'a'.repeat(43));
    expect(statusAndCode(guess)).toEqual([404, 'not_found']);
    expect(statusAndCode(await accept(other, token))).toEqual([403, 'invitation_not_yours']);
    await accept(visitor, token);
    expect(without(await accept(other, token))).toBe(without(guess));
    expect((await other.call('GET', `${home.base}/members`)).status).toBe(404);
  });

  test('is refused for a person with an unverified address or without a session', async () => {
    const { person, visitor } = await site.newPerson();
    const { id, token } = await invite(person.email);
    const verify = (is: boolean) =>
      site.database.superuser.query('update "user" set "emailVerified" = $1 where id = $2', [is, person.id]);
    await verify(false);
    expect(statusAndCode(await accept(visitor, token))).toEqual([403, 'email_not_verified']);
    await verify(true);
    expect(statusAndCode(await accept(site.newVisitor(), token))).toEqual([401, 'sign_in_required']);
    expect(await stateOf(id)).toBe('open');
  });

  test('reports its expiry or revocation to its addressee', async () => {
    const { person, visitor } = await site.newPerson();
    const first = await invite(person.email);
    await site.database.superuser.query(
      "update invitations set created_at = created_at - interval '7 days', expires_at = expires_at - interval '7 days' where email = $1",
      [person.email],
    );
    expect(statusAndCode(await accept(visitor, first.token))).toEqual([410, 'invitation_expired']);
    expect(await stateOf(first.id)).toBe('expired');
    const second = await invite(person.email);
    expect(await stateOf(first.id)).toBe('revoked'); // by the newer one
    const revoke = (): Promise<Answer> =>
      home.owner.visitor.call('POST', `${home.base}/invitations/${second.id}/revoke`);
    expect((await revoke()).body).toMatchObject({ id: second.id, state: 'revoked' });
    expect((await revoke()).body).toMatchObject({ id: second.id, state: 'revoked' });
    expect(statusAndCode(await accept(visitor, second.token))).toEqual([410, 'invitation_revoked']);
    expect(await actionsOf(second.id)).toEqual(['invitation.create', 'invitation.revoke']);
  });

  test('admits no member to a suspended organisation', async () => {
    const { person, visitor } = await site.newPerson();
    const { id, token } = await invite(person.email);
    const suspend = (reason: string | null) =>
      site.database.superuser.query(
        'update organisations set suspended_reason = $1::text, suspended_at = case when $1::text is null then null else now() end',
        [reason],
      );
    await suspend('Unpaid.');
    expect(statusAndCode(await accept(visitor, token))).toEqual([403, 'organisation_suspended']);
    await suspend(null);
    expect(await stateOf(id)).toBe('open');
    expect((await accept(visitor, token)).status).toBe(200);
  });

  test('is revoked when its sender loses the right to send it', async () => {
    const admin = await home.join('admin');
    const one = await site.newPerson();
    const other = await site.newPerson();
    const { token } = await invite(one.person.email, 'admin', admin);
    await home.owner.visitor.call('PATCH', `${home.base}/members/${admin.memberId}`, { role: 'developer' });
    expect(statusAndCode(await accept(one.visitor, token))).toEqual([410, 'invitation_revoked']);
    await home.owner.visitor.call('PATCH', `${home.base}/members/${admin.memberId}`, { role: 'admin' });
    const second = await invite(other.person.email, 'viewer', admin);
    await home.owner.visitor.call('POST', `${home.base}/members/${admin.memberId}/remove`, { keys: 'keep' });
    expect(statusAndCode(await accept(other.visitor, second.token))).toEqual([410, 'invitation_revoked']);
  });

  test('is refused beyond 100 invitations of an organisation', async () => {
    await site.database.superuser.query(
      `insert into invitations (invitation_id, organisation_id, email, role, token_hash, inviter_id, invited_by, expires_at)
       select gen_random_uuid(), organisation_id, n || '@example.org', 'viewer', sha256(n::text::bytea), '', '', now()
       from organisations, generate_series(1, 100) n`,
    );
    const more = await home.owner.visitor.call('POST', `${home.base}/invitations`, {
      email: 'one.more@example.org',
      role: 'viewer',
    });
    expect(statusAndCode(more)).toEqual([409, 'quota_exceeded']);
    await site.database.superuser.query("delete from invitations where inviter_id = ''");
  });

  test('is mailed to one address at most ten times a day, over all organisations', async () => {
    const input = { email: 'besieged@example.org', role: 'viewer' };
    const { visitor } = home.owner;
    for (let round = 0; round < 7; round++) {
      const { body } = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: `Number ${round}` });
      const path = `/api/organisations/${body.id}/invitations`;
      for (let again = 0; again < 2; again++) expect((await visitor.call('POST', path, input)).status).toBe(201);
    }
    const { rows } = await site.database.superuser.query('select from outbox where recipient = $1', [input.email]);
    expect(rows.length).toBe(10);
  });

  test.each([
    'nonsense',
    'imke@example',
    'two@a.example,b@a.example',
    'x@y.example\r\nBcc: z@y.example',
    'Imke <i@a.example>',
  ])('is refused for %j, which is not one address', async (email) => {
    const answer = await home.owner.visitor.call('POST', `${home.base}/invitations`, { email, role: 'viewer' });
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/email' }]]);
  });
});

const own = consoleOperations([]).filter(({ path }) => path.startsWith('/api/organisations/{organisationId}'));

describe.each(own.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  let member: JoinedMember;
  const [example] = Object.values(operation.examples ?? {});
  const ids: Record<string, string> = {
    memberId: toId('mem', newUuid()),
    invitationId: toId('inv', newUuid()),
    accessTokenId: toId('pat', newUuid()),
    liveAccessRequestId: toId('lar', newUuid()),
    destinationId: toId('nds', newUuid()),
  };
  const pathIn = (organisation: string): string =>
    operation.path
      .replace('{organisationId}', organisation)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
  const ask = (visitor: TestVisitor, organisation: string, headers = {}): Promise<Answer> =>
    visitor.call(operation.method, pathIn(organisation), example, headers);
  beforeAll(async () => {
    member = await home.join('viewer');
  });

  test('is available to members only: a foreign organisation is not found, like an unknown one', async () => {
    const { visitor } = await site.newPerson();
    const without = ({ text, body }: Answer): string => text.replace(String(body.requestId), '');
    const foreign = await ask(visitor, home.id);
    expect(statusAndCode(foreign)).toEqual([404, 'not_found']);
    expect(without(foreign)).toBe(without(await ask(visitor, toId('org', newUuid()))));
    expect(statusAndCode(await ask(site.newVisitor(), home.id))).toEqual([401, 'sign_in_required']);
  });

  test('is refused for each role without its action', async () => {
    const action = operation.access.action as Action; // a string in the kit, which knows no roles
    for (const role of ROLES.filter((one) => !isActionAllowed(one, action))) {
      await home.setRole(member, role);
      expect([role, ...statusAndCode(await ask(member.visitor, home.id))]).toEqual([role, 403, 'role_not_allowed']);
    }
  });

  test('is refused for another site, and for a form that a page can send', async () => {
    const { visitor } = home.owner;
    const foreign = await ask(visitor, home.id, { origin: 'https://evil.example' });
    expect(statusAndCode(foreign)).toEqual([403, 'cross_site_request']);
    if (operation.method === 'GET') return;
    const bare = await ask(visitor, home.id, { 'slipway-console': undefined, origin: undefined });
    expect(statusAndCode(bare)).toEqual([403, 'cross_site_request']);
    if (!operation.body) return;
    const text = await ask(visitor, home.id, { 'content-type': 'text/plain' });
    expect(statusAndCode(text)).toEqual([415, 'unsupported_media_type']);
  });
});
