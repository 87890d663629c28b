// A password reset and signing out everywhere end access tokens and approved terminals in addition to sessions.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let site: TestConsole;
let home: TestOrganisation;
let member: JoinedMember;
beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
beforeEach(async () => {
  member = await home.join('developer');
});
afterAll(() => site.close());

const PASSWORD = 'a long sentence is a good one';
const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
const tokenRequest = { name: 'A script', scope: 'write', expiresInDays: 7 };

async function createToken({ visitor }: Pick<JoinedMember, 'visitor'>, base = home.base) {
  const { status, body } = await visitor.call<{ token: string; accessToken: { id: string } }>(
    'POST',
    `${base}/access-tokens`,
    tokenRequest,
  );
  expect(status).toBe(201);
  const headers = { authorization: `Bearer ${body.token}`, origin: undefined, 'slipway-console': undefined };
  const use = async () => (await site.newVisitor().call('GET', '/api/caller', undefined, headers)).status;
  expect(await use()).toBe(200);
  return { id: body.accessToken.id, use };
}

async function startTerminal() {
  const terminal = site.newVisitor();
  const { body } = await terminal.call<Record<string, string>>('POST', '/api/device-sign-ins', { device: 'A laptop' });
  const { deviceCode, userCode } = body;
  return {
    approve: ({ visitor }: Pick<JoinedMember, 'visitor'>) =>
      visitor.call('POST', `${home.base}/device-sign-ins`, { userCode, scope: 'write', expiresInDays: 7 }),
    poll: async () => (await terminal.call('POST', '/api/device-sign-ins/poll', { deviceCode })).body.state,
  };
}

async function resetLink({ person }: JoinedMember): Promise<string | undefined> {
  await site.newVisitor().call('POST', '/api/password-resets', { email: person.email });
  await site.runLinks();
  const { rows } = await query(
    `select text from outbox where recipient = $1 and text like '%reset-password%' order by queued_at desc limit 1`,
    [person.email],
  );
  return /#token=(\S+)/.exec(rows[0]?.text)?.[1];
}
const useLink = (token: string | undefined): Promise<Answer> =>
  site.newVisitor().call('PUT', '/api/password-resets', { token, password: PASSWORD });
const resetPassword = async (who: JoinedMember): Promise<Answer> => useLink(await resetLink(who));
const signIn = ({ person }: JoinedMember): Promise<Answer> =>
  site.newVisitor().call('POST', '/api/session', { email: person.email, password: PASSWORD });
const signOutEverywhere = ({ visitor }: { visitor: TestVisitor }): Promise<Answer> =>
  visitor.call('DELETE', '/api/sessions');

test.each([
  ['a password reset', resetPassword],
  ['signing out everywhere', signOutEverywhere],
])('%s ends and lists all access tokens and approved terminals of the person, and none of other members', async (_, end) => {
  const organisation = await member.visitor.call('POST', '/api/organisations', { name: 'Second home' });
  const [ownToken, elsewhereToken, otherToken] = [
    await createToken(member),
    await createToken(member, `/api/organisations/${organisation.body.id}`),
    await createToken(home.owner),
  ];
  const [approved, otherApproved, open] = [await startTerminal(), await startTerminal(), await startTerminal()];
  expect((await approved.approve(member)).status).toBe(204);
  expect((await otherApproved.approve(home.owner)).status).toBe(204);

  const ended = await end(member);
  expect(ended.status).toBe(200);
  const one = { name: 'A script', organisationId: home.id, organisation: 'Harbour Tools' };
  const other = {
    id: elsewhereToken.id,
    name: 'A script',
    organisationId: organisation.body.id,
    organisation: 'Second home',
  };
  expect(ended.body).toEqual({
    accessTokens: expect.arrayContaining([{ ...one, id: ownToken.id }, other]),
    terminals: ['A laptop'],
    providerLinks: [],
  });
  expect([await ownToken.use(), await elsewhereToken.use(), await otherToken.use()]).toEqual([401, 401, 200]);
  expect([await approved.poll(), await open.poll()]).toEqual(['expired_token', 'authorization_pending']);
  expect(await otherApproved.poll()).toBe('approved');
  const { rows } = await query(
    `select target, detail from audit_entries where action = 'access_token.revoke' and actor = $1`,
    [member.person.email],
  );
  expect(rows.map(({ target }) => target).toSorted()).toEqual([ownToken.id, elsewhereToken.id].toSorted());
  expect(rows[0].detail.reason).toMatch(/^(password_reset|signed_out_everywhere)$/);
});

test('the mail of a password reset names the access tokens that were ended', async () => {
  await createToken(member);
  await resetPassword(member);
  const { rows } = await query(
    `select text from outbox where recipient = $1 and subject = 'Your password was changed'`,
    [member.person.email],
  );
  expect(rows[0].text).toContain('- A script (Harbour Tools)');
});

test('a password reset that times out changes nothing, and its link works again', async () => {
  const token = await createToken(member);
  const link = await resetLink(member);
  await query('begin');
  await query('select from organisations where organisation_id = $1 for update', [fromId('org', home.id)]);
  expect((await useLink(link)).status).toBe(504);
  await query('rollback');
  expect([(await signIn(member)).status, await token.use()]).toEqual([401, 200]);
  expect((await member.visitor.call('GET', '/api/caller')).status).toBe(200);
  expect((await useLink(link)).status).toBe(200);
  expect([(await signIn(member)).status, await token.use()]).toEqual([204, 401]);
  expect((await useLink(link)).body).toMatchObject({ code: 'link_invalid' });
});

test('signing out everywhere keeps the session for a retry if it times out', async () => {
  const token = await createToken(member);
  await query('begin');
  await query('select from organisations where organisation_id = $1 for update', [fromId('org', home.id)]);
  expect((await signOutEverywhere(member)).status).toBe(504);
  await query('rollback');
  expect((await signOutEverywhere(member)).status).toBe(200);
  expect(await token.use()).toBe(401);
});

test('a token that is created before the end of its session is ended with it', async () => {
  const other = site.newVisitor();
  await other.signInByLink(member.person);
  const terminal = await startTerminal();
  await query('begin');
  await query('select from organisations where organisation_id = $1 for update', [fromId('org', home.id)]);
  const creating = other.call('POST', `${home.base}/access-tokens`, tokenRequest);
  await untilLocksWaited(site.database.superuser, 1);
  const approving = terminal.approve({ visitor: other });
  await untilLocksWaited(site.database.superuser, 2);
  const ending = signOutEverywhere(member);
  await untilLocksWaited(site.database.superuser, 3);
  await query('rollback');
  const answers = await Promise.all([creating, approving, ending]);
  expect(answers.map(({ status }) => status)).toEqual([201, 204, 200]);
  expect(answers[2].body).toMatchObject({ accessTokens: [{ name: tokenRequest.name }], terminals: ['A laptop'] });
  expect((await query('select from access_tokens where person_id = $1', [member.person.id])).rowCount).toBe(0);
  expect(await terminal.poll()).toBe('expired_token');
});

test('the creation of a token that waits while the person signs out everywhere is refused', async () => {
  const other = site.newVisitor();
  await other.signInByLink(member.person);
  const terminal = await startTerminal();
  await query('begin');
  await query('select from "session" where "userId" = $1 for update', [member.person.id]);
  const ending = signOutEverywhere(member);
  await untilLocksWaited(site.database.superuser, 1);
  const creating = other.call('POST', `${home.base}/access-tokens`, tokenRequest);
  await untilLocksWaited(site.database.superuser, 2);
  const approving = terminal.approve({ visitor: other });
  await untilLocksWaited(site.database.superuser, 3);
  await query('rollback');
  const answers = await Promise.all([creating, approving, ending]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
  expect((await query('select from access_tokens where person_id = $1', [member.person.id])).rowCount).toBe(0);
  expect(await terminal.poll()).toBe('authorization_pending');
});

test('each new access token is mailed to its person, created in the Console or received by a terminal', async () => {
  await createToken(member);
  const terminal = await startTerminal();
  await terminal.approve(member);
  expect(await terminal.poll()).toBe('approved');
  const { rows } = await query(
    `select text from outbox where recipient = $1 and subject = 'A new access token in your name' order by queued_at`,
    [member.person.email],
  );
  expect(rows.map(({ text }) => text)).toEqual([
    expect.stringMatching(/Name: A script\nScope: write[\s\S]*created in the Console, from the address 192\.0\.2\.\d+/),
    expect.stringMatching(/Name: A laptop\nScope: write[\s\S]*terminal at the address 192\.0\.2\.\d+/),
  ]);
  for (const { text } of rows) expect(text).toContain(`/organisations/${home.id}/team`);
});
