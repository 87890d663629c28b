// The removal of a second factor by a caller with a session and the password but without a code. The removal is
// delayed, mailed and cancellable, and gives no access to production keys.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import {
  createApplicant,
  type LiveAccessApplicant,
  makeReviewer,
  type Reviewer,
} from '../../../test/live-access.fixture.ts';
import { type Production, startProduction } from '../../../test/production.fixture.ts';
import { codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { remoteLink } from '../../governance/environments/index.ts';

let production: Production;
let site: TestConsole;
let reviewer: Reviewer;
beforeAll(async () => {
  production = await startProduction({ maxKeyDays: 14 });
  const { managementKey } = production.options;
  const link = remoteLink('production', production.managementUrl);
  site = await startConsole('local', { production: { environment: 'production', managementKey, link } });
  reviewer = await makeReviewer(site);
});
afterAll(async () => {
  await site.close();
  await production.close();
});

const PASSWORD = 'a long sentence is a good one';
const REMOVAL = '/api/second-factor/removal';
const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
const statusAndCode = ({ status, body }: Answer): unknown[] => (body?.code ? [status, body.code] : [status]);

let asking: LiveAccessApplicant;
let owner: TestVisitor;
let keys: string;
let uri: string;
let recoveryCodes: string[];
beforeEach(async () => {
  asking = await createApplicant(site);
  owner = asking.owner;
  const submitted = await asking.submitted(['servers:read']);
  await reviewer.approve(submitted, ['servers:read'], null);
  const appId = (await asking.read(submitted)).liveAccess?.productionAppId;
  keys = `/api/production/organisations/${asking.organisation.id}/apps/${appId}/keys`;
  ({ uri, recoveryCodes } = await enrolSecondFactor(owner));
  expect((await owner.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
});

const email = (): string => asking.organisation.owner.person.email;
const personId = (): string => asking.organisation.owner.person.id;
const newKey = (by = owner): Promise<Answer> =>
  by.call('POST', keys, { name: 'Live', scopes: ['servers:read'], expiresInDays: 14 });
const request = (body: object = { currentPassword: PASSWORD }, by = owner) => by.call('POST', REMOVAL, body);
const removalOf = async () =>
  (await owner.call<{ person: { hasSecondFactor: boolean; secondFactorRemoval: unknown } }>('GET', '/api/session')).body
    .person;
async function mailedToken(): Promise<string | undefined> {
  const { rows } = await query(
    `select text from outbox where recipient = $1 and subject like 'The removal%' order by queued_at desc`,
    [email()],
  );
  return /cancel-removal#token=(\S+)/.exec(rows[0]?.text ?? '')?.[1];
}
/** Simulates the end of the delay. */
async function pass(): Promise<void> {
  await query('update second_factor_removals set due_at = clock_timestamp() where person_id = $1', [personId()]);
  await site.runRemovals();
}

test('a stolen session with the password neither disables nor replaces a second factor', async () => {
  for (const body of [{ password: PASSWORD }, { currentPassword: PASSWORD }, {}])
    expect(statusAndCode(await owner.call('POST', '/api/second-factor/disable', body))).toEqual([
      400,
      'invalid_request',
    ]);
  expect(statusAndCode(await owner.call('POST', '/api/second-factor', { currentPassword: PASSWORD }))).toEqual([
    409,
    'conflict',
  ]);
  expect(statusAndCode(await request({ currentPassword: 'wrong' }))).toEqual([400, 'invalid_request']);
  expect(statusAndCode(await request({}))).toEqual([400, 'invalid_request']);
  expect(await removalOf()).toMatchObject({ hasSecondFactor: true, secondFactorRemoval: null });
  expect(await site.newVisitor().signInByLink(asking.organisation.owner.person)).toBe(200);
});

test('a removal waits for 24 hours, is mailed once, and no production key can be created meanwhile, even after a fresh code', async () => {
  expect((await newKey()).status).toBe(201);
  const removal = await request();
  expect([removal.status, removal.body.state]).toEqual([202, 'pending']);
  const { rows } = await query(
    `select due_at - requested_at = interval '24 hours' as is_a_day from second_factor_removals where person_id = $1`,
    [personId()],
  );
  expect(rows).toEqual([{ is_a_day: true }]);
  const token = await mailedToken();
  expect((await request()).body).toEqual(removal.body);
  expect(await mailedToken()).toBe(token);
  await site.runRemovals();
  expect(await removalOf()).toMatchObject({ hasSecondFactor: true, secondFactorRemoval: { state: 'pending' } });
  expect(statusAndCode(await newKey())).toEqual([403, 'second_factor_required']);
  expect((await owner.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) })).status).toBe(204);
  const refused = await newKey();
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('cancel the removal')]);
});

test('after the removal a new second factor of the same session allows production keys only a day later', async () => {
  await request();
  await pass();
  expect(await removalOf()).toMatchObject({ hasSecondFactor: false, secondFactorRemoval: { state: 'removed' } });
  expect(statusAndCode(await newKey())).toEqual([403, 'second_factor_required']);
  const enrolled = await owner.call<{ uri: string }>('POST', '/api/second-factor', { currentPassword: PASSWORD });
  const confirm = { code: codeOf(enrolled.body.uri, 0) };
  expect((await owner.call('POST', '/api/second-factor/confirm', confirm)).status).toBe(204);
  const refused = await newKey();
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    expect.stringContaining('you cannot create production keys'),
  ]);
  // Neither a cancelled second request nor another replacement shortens the delay.
  await request();
  expect((await owner.call('DELETE', REMOVAL)).status).toBe(204);
  expect(statusAndCode(await newKey())).toEqual([403, 'second_factor_required']);
  const off = await owner.call('POST', '/api/second-factor/disable', { code: codeOf(enrolled.body.uri, 1) });
  expect(off.status).toBe(204);
  const again = await owner.call<{ uri: string }>('POST', '/api/second-factor', { currentPassword: PASSWORD });
  const confirmAgain = { code: codeOf(again.body.uri, 0) };
  expect((await owner.call('POST', '/api/second-factor/confirm', confirmAgain)).status).toBe(204);
  expect(statusAndCode(await newKey())).toEqual([403, 'second_factor_required']);
  await query(`update second_factor_removals set closed_until = clock_timestamp() where person_id = $1`, [personId()]);
  expect((await newKey()).status).toBe(201);
  expect(await removalOf()).toMatchObject({ secondFactorRemoval: null });
  const { rows } = await query('select subject from outbox where recipient = $1', [email()]);
  expect(rows.map(({ subject }) => subject)).toContain('Your second factor was removed');
});

test('the person cancels the removal in the Console or with the mailed link, once', async () => {
  const ways = [
    () => owner.call('DELETE', REMOVAL),
    async () => site.newVisitor().call('POST', '/api/second-factor-removals/cancel', { token: await mailedToken() }),
  ];
  for (const [at, cancel] of ways.entries()) {
    await request();
    expect((await cancel()).status).toBe(204);
    expect(statusAndCode(await cancel())).toEqual(at === 0 ? [404, 'not_found'] : [410, 'link_invalid']);
    await pass();
    expect(await removalOf()).toMatchObject({ hasSecondFactor: true, secondFactorRemoval: null });
    expect((await newKey()).status).toBe(201);
  }
});

test('a password reset and signing out everywhere cancel the removal, and a code makes it unnecessary', async () => {
  await request();
  const { status } = await owner.call('DELETE', '/api/sessions');
  expect(status).toBe(200);
  const again = site.newVisitor();
  expect(await again.signInByLink(asking.organisation.owner.person)).toBe(200);
  const code = codeOf(uri, 1);
  expect((await again.call('POST', '/api/session/second-factor', { code })).status).toBe(204);
  owner = again;
  expect(await removalOf()).toMatchObject({ hasSecondFactor: true, secondFactorRemoval: null });
  await request();
  expect((await owner.call('POST', '/api/second-factor/disable', { code: recoveryCodes[0] })).status).toBe(204);
  expect(await removalOf()).toMatchObject({ hasSecondFactor: false, secondFactorRemoval: null });
});

test('an account without a password can request a removal only within ten minutes after a sign-in', async () => {
  const { person, visitor } = await site.newPerson();
  await enrolSecondFactor(visitor);
  await query(`update "session" set "createdAt" = now() - interval '11 minutes' where "userId" = $1`, [person.id]);
  expect(statusAndCode(await request({}, visitor))).toEqual([403, 'fresh_sign_in_required']);
  await query(`update "session" set "createdAt" = now() where "userId" = $1`, [person.id]);
  expect((await request({}, visitor)).status).toBe(202);
});
