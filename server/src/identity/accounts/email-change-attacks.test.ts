// Attacks on the change of an e-mail address: with a stolen session, with the links of other people, and at the same time
// as other changes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { EMAIL_PASSWORD, emailChanges } from '../../../test/email-change.fixture.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import {
  foundOrganisation,
  type JoinedMember,
  runConcurrently,
  type TestOrganisation,
} from '../../../test/organisation.fixture.ts';
import { codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';

let site: TestConsole;
let home: TestOrganisation;
let member: JoinedMember;
const changes = emailChanges(() => site);
const { query, mailsTo, tokenMailedTo, request, requested, confirm } = changes;
const { change, undo, emailOf, freeEmail, setPassword, signIn } = changes;

beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
beforeEach(async () => {
  member = await home.join('developer');
  await setPassword(member.visitor);
});
afterAll(() => site.close());

const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];
const INVALID = [410, 'link_invalid'];

describe('a request with a stolen session is refused', () => {
  test.each([undefined, 'a wrong long sentence'])('with the password %s', async (currentPassword) => {
    const email = freeEmail();
    const answer = await member.visitor.call('POST', '/api/email-changes', { email, currentPassword });
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/currentPassword' }]]);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('if the person has no password and the session is older than ten minutes', async () => {
    const { visitor, person } = await site.newPerson();
    await query(`update "session" set "createdAt" = now() - interval '11 minutes' where "userId" = $1`, [person.id]);
    const answer = await visitor.call('POST', '/api/email-changes', { email: freeEmail() });
    expect(outcome(answer)).toEqual([403, 'fresh_sign_in_required']);
  });

  test('until the second factor was confirmed within ten minutes', async () => {
    const { visitor } = await site.newPerson();
    const { uri } = await enrolSecondFactor(visitor);
    await query("update second_factor_proofs set proved_at = now() - interval '11 minutes'");
    const email = freeEmail();
    const send = () => visitor.call('POST', '/api/email-changes', { email });
    expect(outcome(await send())).toEqual([403, 'second_factor_required']);
    expect((await visitor.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) })).status).toBe(204);
    expect((await send()).status).toBe(202);
  });

  test('while a removal of the second factor is pending, and after it', async () => {
    const { visitor, person } = await site.newPerson();
    await enrolSecondFactor(visitor);
    const send = () => visitor.call('POST', '/api/email-changes', { email: freeEmail() });
    expect((await visitor.call('POST', '/api/second-factor/removal', {})).status).toBe(202);
    expect((await send()).body).toMatchObject({
      code: 'second_factor_required',
      detail: expect.stringContaining('change your e-mail address'),
    });
    await query('update second_factor_removals set due_at = now() where person_id = $1', [person.id]);
    await site.runRemovals();
    expect(outcome(await send())).toEqual([403, 'second_factor_required']);
  });

  test('with an access token', async () => {
    const made = await member.visitor.call<{ token: string }>('POST', `${home.base}/access-tokens`, {
      ...{ name: 'A script', scope: 'write', expiresInDays: 7 },
    });
    const headers = { authorization: `Bearer ${made.body.token}` };
    for (const [method, body] of [
      ['POST', { email: freeEmail(), currentPassword: EMAIL_PASSWORD }],
      ['PUT', { token: await requested(member.visitor, freeEmail()) }],
    ] as const) {
      const answer = await site.newVisitor().call(method, '/api/email-changes', body, headers);
      expect(outcome(answer)).toEqual([403, 'access_token_not_allowed']);
    }
  });
});

describe('a link', () => {
  test('changes nothing in the session of another person or without a session, and still works for its person', async () => {
    const email = freeEmail();
    const token = await requested(member.visitor, email);
    const other = await home.join('viewer');
    expect(outcome(await confirm(other.visitor, token))).toEqual(INVALID);
    expect(outcome(await confirm(site.newVisitor(), token))).toEqual([401, 'sign_in_required']);
    expect(await emailOf(other.visitor)).toBe(other.person.email);
    expect(await emailOf(member.visitor)).toBe(member.person.email);
    expect((await confirm(member.visitor, token)).status).toBe(204);
  });

  test('works once', async () => {
    const email = freeEmail();
    const token = await requested(member.visitor, email);
    expect((await confirm(member.visitor, token)).status).toBe(204);
    expect(outcome(await confirm(member.visitor, token))).toEqual(INVALID);
    expect(await emailOf(member.visitor)).toBe(email);
  });

  test('works for one hour', async () => {
    const token = await requested(member.visitor, freeEmail());
    const age = (minutes: number) =>
      query(
        `update mailed_links set expires_at = expires_at - make_interval(mins => $2) where person_id = $1 and purpose = 'email_change'`,
        [member.person.id, minutes],
      );
    await age(60);
    expect(outcome(await confirm(member.visitor, token))).toEqual(INVALID);
    await age(-1);
    expect((await confirm(member.visitor, token)).status).toBe(204);
  });

  test('of another purpose is refused', async () => {
    const undoToken = await change(member.visitor, freeEmail());
    const token = await requested(member.visitor, freeEmail());
    expect(outcome(await confirm(member.visitor, undoToken))).toEqual(INVALID);
    expect(outcome(await undo(token))).toEqual(INVALID);
    const reset = await site.newVisitor().call('PUT', '/api/password-resets', { token, password: EMAIL_PASSWORD });
    expect(outcome(reset)).toEqual(INVALID);
  });
});

describe('an address that has an account', () => {
  test('gets the same response and the same rows as a free one, and a notice without a link', async () => {
    const { email: taken } = home.owner.person;
    const rowsOf = async (email: string) => {
      const answer = await request(member.visitor, email);
      const links = await query('select purpose, email from mailed_links where person_id = $1', [member.person.id]);
      const counts = await query('select times from security_changes where person_id = $1', [member.person.id]);
      return [answer.status, answer.text, links.rows, counts.rows, (await mailsTo(email)).length] as const;
    };
    const mailsBefore = (await mailsTo(taken)).length;
    const free = freeEmail();
    const link = (email: string) => [{ purpose: 'email_change', email }];
    expect(await rowsOf(free)).toEqual([202, '', link(free), [{ times: 1 }], 1]);
    expect(await rowsOf(taken)).toEqual([202, '', link(taken), [{ times: 2 }], mailsBefore + 1]);
    const notice = (await mailsTo(taken)).at(-1);
    expect(notice?.subject).toBe('Your address was requested on Slipway');
    expect(notice?.text).not.toMatch(/token=/);
    expect(notice?.text).not.toContain(member.person.email);
  });

  test('is refused at the confirmation if an account was created meanwhile', async () => {
    const email = freeEmail();
    const token = await requested(member.visitor, email);
    const other = await site.identity.createPerson(email, 'Another person', undefined);
    expect(outcome(await confirm(member.visitor, token))).toEqual(INVALID);
    expect(await emailOf(member.visitor)).toBe(member.person.email);
    expect(await site.identity.findPerson(email)).toMatchObject({ id: other?.id });
    const { rows } = await query('select from earlier_emails where person_id = $1', [member.person.id]);
    expect(rows).toEqual([]);
  });
});

describe('at the same time', () => {
  test('one of two persons gets an address that both confirm', async () => {
    const { visitor } = await site.newPerson();
    await visitor.call('POST', '/api/organisations', { name: 'Crane' });
    const email = freeEmail();
    const tokens = [
      await requested(member.visitor, email),
      (await visitor.call('POST', '/api/email-changes', { email })) && (await tokenMailedTo(email, '/confirm-email')),
    ];
    const answers = await runConcurrently(site, [
      () => confirm(member.visitor, tokens[0] ?? ''),
      () => confirm(visitor, tokens[1] ?? ''),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 410]);
    const now = [await emailOf(member.visitor), await emailOf(visitor)];
    expect(now.filter((one) => one === email)).toHaveLength(1);
  });

  test('one of several confirmations of a link changes the address', async () => {
    const email = freeEmail();
    const token = await requested(member.visitor, email);
    const answers = await runConcurrently(
      site,
      [1, 2, 3].map(() => () => confirm(member.visitor, token)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 410, 410]);
    expect((await mailsTo(member.person.email)).filter(({ text }) => text.includes('/restore-email'))).toHaveLength(1);
  });

  test('a confirmation changes nothing if the session was ended meanwhile', async () => {
    const token = await requested(member.visitor, freeEmail());
    await query('begin');
    await query('select from organisations for update');
    const confirming = confirm(member.visitor, token);
    await untilLocksWaited(site.database.superuser, 1);
    await query('delete from "session" where "userId" = $1', [member.person.id]);
    await query('commit');
    expect(outcome(await confirming)).toEqual([401, 'sign_in_required']);
    expect(await site.identity.findPerson(member.person.email)).toMatchObject({ id: member.person.id });
  });

  test('a password link of the previous address is refused after the change that it waited for', async () => {
    const { email } = member.person;
    await site.newVisitor().call('POST', '/api/password-resets', { email });
    await site.runLinks();
    const reset = await tokenMailedTo(email, '/reset-password');
    const token = await requested(member.visitor, freeEmail());
    await query('begin');
    await query('select from organisations for update');
    const confirming = confirm(member.visitor, token);
    await untilLocksWaited(site.database.superuser, 1);
    const resetting = site
      .newVisitor()
      .call('PUT', '/api/password-resets', { token: reset, password: 'a long sentence of a thief' });
    await untilLocksWaited(site.database.superuser, 2);
    await query('commit');
    expect([(await confirming).status, outcome(await resetting)]).toEqual([204, INVALID]);
  });

  test('a password reset changes nothing if the address was changed meanwhile', async () => {
    const { email, id } = member.person;
    await site.newVisitor().call('POST', '/api/password-resets', { email });
    await site.runLinks();
    const token = await tokenMailedTo(email, '/reset-password');
    await query('begin');
    await query('select from organisations for update');
    const resetting = site
      .newVisitor()
      .call('PUT', '/api/password-resets', { token, password: 'a long sentence of a thief' });
    await untilLocksWaited(site.database.superuser, 1);
    const now = freeEmail();
    await query('update "user" set email = $2 where id = $1', [id, now]);
    await query('commit');
    expect(outcome(await resetting)).toEqual(INVALID);
    expect((await signIn(now)).status).toBe(204);
  });
});

test('a sign-in link of the previous address does not sign in to the account that has it later', async () => {
  const { person, visitor } = member;
  const link = await site.identity.issueLink(person);
  await change(visitor, freeEmail());
  const successor = await site.identity.createPerson(person.email, 'Another person', undefined);
  expect(successor?.email).toBe(person.email);
  const answer = await site.newVisitor().call('POST', '/api/sign-in-link', { token: link.reveal() });
  expect(outcome(answer)).toEqual([401, 'sign_in_failed']);
});

describe('after a takeover', () => {
  test('the owner restores the address, and the thief keeps neither session, token, password, link nor pending change', async () => {
    const { person, visitor: thief } = member;
    const made = await thief.call<{ token: string }>('POST', `${home.base}/access-tokens`, {
      ...{ name: 'A script', scope: 'write', expiresInDays: 7 },
    });
    const emails = [freeEmail(), freeEmail(), freeEmail()] as const;
    const ownersLink = await change(thief, emails[0]);
    const thiefsLink = await change(thief, emails[1]);
    const pending = await requested(thief, emails[2]);
    expect((await undo(ownersLink)).status).toBe(200);

    expect(await emailOf(thief)).toBeUndefined();
    const headers = { authorization: `Bearer ${made.body.token}` };
    expect((await site.newVisitor().call('GET', '/api/caller', undefined, headers)).status).toBe(401);
    for (const email of [person.email, ...emails]) expect((await signIn(email)).status).toBe(401);
    expect(outcome(await undo(thiefsLink))).toEqual(INVALID);
    expect(outcome(await undo(ownersLink))).toEqual(INVALID);
    const owner = site.newVisitor();
    expect(await owner.signInByLink(person)).toBe(204);
    expect(outcome(await confirm(owner, pending))).toEqual(INVALID);
    expect(await emailOf(owner)).toBe(person.email);
  });

  test('the owner’s link works after the thief restored a later address', async () => {
    const { person, visitor: thief } = member;
    const second = freeEmail();
    const ownersLink = await change(thief, second);
    const thiefsLink = await change(thief, freeEmail());
    expect((await undo(thiefsLink)).status).toBe(200);
    expect(await site.identity.findPerson(second)).toMatchObject({ id: person.id });
    expect((await undo(ownersLink)).status).toBe(200);
    expect(await site.identity.findPerson(person.email)).toMatchObject({ id: person.id });
  });

  test('a password reset of the thief at the same time does not outlast the restoration', async () => {
    const { person, visitor: thief } = member;
    const email = freeEmail();
    const ownersLink = await change(thief, email);
    await site.newVisitor().call('POST', '/api/password-resets', { email });
    await site.runLinks();
    const reset = await tokenMailedTo(email, '/reset-password');
    await query('begin');
    await query('select from organisations for update');
    const password = 'a long sentence of a thief';
    const resetting = site.newVisitor().call('PUT', '/api/password-resets', { token: reset, password });
    await untilLocksWaited(site.database.superuser, 1);
    const restoring = undo(ownersLink);
    await untilLocksWaited(site.database.superuser, 2);
    await query('commit');
    expect([(await resetting).status, (await restoring).status]).toEqual([200, 200]);
    expect((await signIn(person.email, password)).status).toBe(401);
    expect((await signIn(person.email, 'another long sentence')).status).toBe(204);
  });

  test('parallel restorations with one link restore once', async () => {
    const token = await change(member.visitor, freeEmail());
    const answers = await runConcurrently(site, [() => undo(token), () => undo(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
  });

  test('the address can be restored for 72 hours, unless another account has it', async () => {
    const { person, visitor } = member;
    const token = await change(visitor, freeEmail());
    const age = (hours: number) =>
      query(
        `update mailed_links set expires_at = expires_at - make_interval(hours => $2) where person_id = $1 and purpose = 'email_undo'`,
        [person.id, hours],
      );
    await age(72);
    expect(outcome(await undo(token))).toEqual(INVALID);
    await age(-1);
    await site.identity.createPerson(person.email, 'Another person', undefined);
    expect(outcome(await undo(token))).toEqual([409, 'conflict']);
    await query('delete from "user" where email = $1', [person.email]);
    expect((await undo(token)).status).toBe(200);
  });
});
