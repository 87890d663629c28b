// The two links of an invitation: the mailed link proves the address, the link that the inviter sees does not.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';

let site: TestConsole;
let home: TestOrganisation;
beforeAll(async () => {
  site = await startConsole('local', { sendsMail: true });
  home = await foundOrganisation(site);
});
afterAll(() => site.close());

interface CreatedInvitation {
  invitation: { id: string };
  url: string;
  mail: string;
  createsAccount: boolean;
}
interface Preview {
  organisation: string;
  role: string;
  invitedBy: string;
  email: string | null;
  hasAccount: boolean | null;
  /** The code of a problem. */
  code?: string;
}
const tokenIn = (text: string): string => /\/invitation#token=(\S+)/.exec(text)?.[1] ?? '';
async function mailedText(email: string): Promise<string> {
  const { rows } = await site.database.superuser.query(
    'select text from outbox where recipient = $1 order by queued_at desc limit 1',
    [email],
  );
  return rows[0]?.text ?? '';
}
async function invite(email: string): Promise<{ id: string; shown: string; mailed: string; mail: string }> {
  const input = { email, role: 'developer' };
  const { body } = await home.owner.visitor.call<CreatedInvitation>('POST', `${home.base}/invitations`, input);
  return {
    id: body.invitation.id,
    shown: tokenIn(body.url),
    mailed: tokenIn(await mailedText(email)),
    mail: body.mail,
  };
}
const preview = (token: string) => site.newVisitor().call<Preview>('POST', '/api/invitations/preview', { token });
const signUp = (token: string, visitor = site.newVisitor()) =>
  visitor.call('POST', '/api/accounts', { token, name: 'Imke', password: 'a long sentence is a good one' });

test('the mailed link creates the account and joins, with one sign-up', async () => {
  const email = 'first@example.org';
  const { shown, mailed, mail } = await invite(email);
  expect(mail).toBe('queued');
  expect(mailed).not.toBe(shown);
  const text = await mailedText(email);
  expect(text).toContain('with the role developer.');
  expect(text).toMatch(/ works once, until \d{4}-\d\d-\d\d at \d\d:\d\d UTC\./);
  const terms = { organisation: 'Harbour Tools', role: 'developer', invitedBy: home.owner.person.email };
  expect((await preview(mailed)).body).toMatchObject({ ...terms, email, hasAccount: false });
  const visitor = site.newVisitor();
  expect((await signUp(mailed, visitor)).status).toBe(204);
  expect((await preview(mailed)).body).toMatchObject({ hasAccount: true });
  const joined = await visitor.call('POST', '/api/invitations/accept', { token: mailed });
  expect(joined.body).toMatchObject({ id: home.id, role: 'developer' });
});

test('the link that the inviter sees creates no account, and reveals neither the address nor whether it has an account', async () => {
  const { shown } = await invite('victim@example.org');
  expect((await preview(shown)).body).toMatchObject({ organisation: 'Harbour Tools', email: null, hasAccount: null });
  const refused = await signUp(shown);
  expect([refused.status, refused.body.code]).toEqual([410, 'link_invalid']);
});

test('the mailed link reports the state of a closed invitation, and the other link reports no more than a guessed token', async () => {
  const { id, shown, mailed } = await invite('late@example.org');
  await home.owner.visitor.call('POST', `${home.base}/invitations/${id}/revoke`);
  const previews = [await preview(mailed), await preview(shown), await preview('a'.repeat(43))];
  expect(previews.map(({ status, body }) => [status, body.code])).toEqual([
    [410, 'invitation_revoked'],
    [404, 'not_found'],
    [404, 'not_found'],
  ]);
  const refused = await signUp(mailed);
  expect([refused.status, refused.body.code]).toEqual([410, 'link_invalid']);
});

test('the mailed link does not replace the password of an existing account', async () => {
  const { person } = await site.newPerson();
  const { mailed } = await invite(person.email);
  expect((await preview(mailed)).body).toMatchObject({ email: person.email, hasAccount: true });
  expect((await signUp(mailed)).status).toBe(410);
});

test('a sign-up of an invited address receives a link that joins, and the earlier link still works', async () => {
  const email = 'again@example.org';
  const { mailed } = await invite(email);
  await site.newVisitor().call('POST', '/api/sign-ups', { email });
  await site.runLinks();
  const next = tokenIn(await mailedText(email));
  expect([(await preview(mailed)).status, (await preview(next)).status]).toEqual([200, 200]);
  expect(next).not.toBe(mailed);
});

test('without a mail server only an operator receives the link that proves the address', async () => {
  const quiet = await startConsole('local');
  try {
    const made = await foundOrganisation(quiet);
    const input = { email: 'quiet@example.org', role: 'viewer' };
    const { body } = await made.owner.visitor.call<CreatedInvitation>('POST', `${made.base}/invitations`, input);
    expect([body.mail, body.createsAccount]).toEqual(['no_mail_server', false]);
    const seen = await quiet
      .newVisitor()
      .call<Preview>('POST', '/api/invitations/preview', { token: tokenIn(body.url) });
    expect(seen.body).toMatchObject({ email: null });
  } finally {
    await quiet.close();
  }
});
