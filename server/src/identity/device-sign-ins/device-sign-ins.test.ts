// Sign-ins of terminals with a code: the answers to terminal and person, the limits and times, and the token.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { CONSOLE_URL, startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { newUserCode } from './device-sign-in.ts';

interface StartedSignIn {
  deviceCode: string;
  userCode: string;
  verificationUrl: string;
  intervalSeconds: number;
}
interface PolledSignIn {
  state: string;
  intervalSeconds: number;
  token: string | null;
  accessToken: { id: string; name: string; scope: string } | null;
}

const PATH = '/api/device-sign-ins';
let site: TestConsole;
let home: TestOrganisation;
beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
afterAll(() => site.close());

const statusAndCode = ({ status, body }: Answer): unknown[] => [status, body?.code];
const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);

async function start(terminal: TestVisitor = site.newVisitor()) {
  const { status, body } = await terminal.call<StartedSignIn>('POST', PATH, { device: 'slipway on a laptop' });
  expect(status).toBe(201);
  const { deviceCode, userCode } = body;
  return {
    ...body,
    poll: async () => (await terminal.call<PolledSignIn>('POST', `${PATH}/poll`, { deviceCode })).body,
    find: (by: TestVisitor, typed = userCode) => by.call('POST', `${PATH}/find`, { userCode: typed }),
    deny: (by: TestVisitor) => by.call('POST', `${PATH}/deny`, { userCode }),
    approve: (by: TestVisitor, scope = 'read') =>
      by.call('POST', `${home.base}/device-sign-ins`, { userCode, scope, expiresInDays: 7 }),
    /** Simulates that the terminal has waited for its interval. */
    wait: () => query("update device_sign_ins set polled_at = polled_at - interval '1 hour'"),
  };
}

test('the person who enters a terminal’s code signs the terminal in once, with the chosen scope and lifetime', async () => {
  const terminal = await start();
  expect(terminal).toMatchObject({ verificationUrl: `${CONSOLE_URL}/device`, intervalSeconds: 5 });
  expect(terminal.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(await terminal.poll()).toMatchObject({ state: 'authorization_pending', token: null });
  const found = await terminal.find(home.owner.visitor, terminal.userCode.toLowerCase().replace('-', ' '));
  expect(found.body).toMatchObject({ device: 'slipway on a laptop', hasYourAddress: false });
  expect(found.body.address).toMatch(/^192\.0\.2\.\d+$/);
  expect((await terminal.approve(home.owner.visitor)).status).toBe(204);
  await terminal.wait();
  const { state, token, accessToken } = await terminal.poll();
  expect([state, accessToken]).toMatchObject(['approved', { name: 'slipway on a laptop', scope: 'read' }]);
  const authorization = { authorization: `Bearer ${token}`, origin: undefined, 'slipway-console': undefined };
  const caller = await site.newVisitor().call('GET', '/api/caller', undefined, authorization);
  expect(caller.body).toMatchObject({ email: home.owner.person.email, accessToken: { scope: 'read' } });
  expect(await terminal.poll()).toMatchObject({ state: 'expired_token', token: null });
  const { rows } = await query('select action, actor, detail from audit_entries order by sequence desc limit 2');
  expect(rows).toMatchObject([
    { action: 'access_token.create', actor: home.owner.person.email, detail: { device: 'slipway on a laptop' } },
    { action: 'device_sign_in.approve', detail: { scope: 'read', expiresInDays: 7 } },
  ]);
});

test('a terminal that polls too soon receives slow_down, a longer interval and no token', async () => {
  const terminal = await start();
  await terminal.poll();
  expect(await terminal.poll()).toMatchObject({ state: 'slow_down', intervalSeconds: 10 });
  expect(await terminal.poll()).toMatchObject({ state: 'slow_down', intervalSeconds: 15 });
  await terminal.approve(home.owner.visitor);
  expect(await terminal.poll()).toMatchObject({ state: 'slow_down', token: null });
  await terminal.wait();
  expect(await terminal.poll()).toMatchObject({ state: 'approved' });
});

test('one of two concurrent polls receives the token', async () => {
  const terminal = await start();
  await terminal.approve(home.owner.visitor);
  const states = (await Promise.all([terminal.poll(), terminal.poll()])).map(({ state }) => state);
  expect(states.sort()).toEqual(['approved', 'expired_token']);
});

test('a decision about a code is final', async () => {
  const { visitor } = home.owner;
  const [denied, approved] = [await start(), await start()];
  expect((await denied.deny(visitor)).status).toBe(204);
  expect(statusAndCode(await denied.approve(visitor))).toEqual([404, 'not_found']);
  expect(await denied.poll()).toMatchObject({ state: 'access_denied', token: null });
  expect((await approved.approve(visitor)).status).toBe(204);
  expect(statusAndCode(await approved.approve(visitor, 'write'))).toEqual([404, 'not_found']);
  expect(statusAndCode(await approved.deny(visitor))).toEqual([404, 'not_found']);
  expect(statusAndCode(await approved.find(visitor))).toEqual([404, 'not_found']);
  expect((await approved.poll()).accessToken?.scope).toBe('read');
});

test('both codes end after ten minutes, approved or not', async () => {
  const [open, approved] = [await start(), await start()];
  await approved.approve(home.owner.visitor);
  await query("update device_sign_ins set expires_at = clock_timestamp() - interval '1 second'");
  expect(statusAndCode(await open.find(home.owner.visitor))).toEqual([404, 'not_found']);
  expect(statusAndCode(await open.approve(home.owner.visitor))).toEqual([404, 'not_found']);
  for (const terminal of [open, approved]) expect((await terminal.poll()).state).toBe('expired_token');
});

test('neither code works in place of the other, and the database stores neither', async () => {
  const { deviceCode, userCode, poll } = await start();
  const terminal = site.newVisitor();
  const swapped = await terminal.call('POST', `${PATH}/poll`, { deviceCode: userCode.padEnd(43, 'A') });
  expect(swapped.body.state).toBe('expired_token');
  const { rows } = await query('select d::text as row from device_sign_ins d');
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toMatch(new RegExp(`${deviceCode}|${userCode}`));
  expect((await poll()).state).toBe('authorization_pending');
});

test('an unauthenticated caller or an access token cannot decide, and the end of a membership deletes its approval', async () => {
  const terminal = await start();
  expect(statusAndCode(await terminal.find(site.newVisitor()))).toEqual([401, 'sign_in_required']);
  const { visitor } = await site.newPerson();
  expect(statusAndCode(await terminal.approve(visitor))).toEqual([404, 'not_found']);
  const input = { name: 'A script', scope: 'write', expiresInDays: 1 };
  const { token } = (await home.owner.visitor.call('POST', `${home.base}/access-tokens`, input)).body;
  const withToken = { authorization: `Bearer ${token}` };
  for (const path of [`${PATH}/find`, `${PATH}/deny`]) {
    const answer = await site.newVisitor().call('POST', path, { userCode: terminal.userCode }, withToken);
    expect(statusAndCode(answer)).toEqual([403, 'access_token_not_allowed']);
  }
  const viewer = await home.join('viewer');
  expect((await terminal.approve(viewer.visitor)).status).toBe(204);
  await viewer.visitor.call('POST', `${home.base}/leave`, { keys: 'keep' });
  expect(await home.roleOf(viewer)).toBeUndefined();
  expect((await terminal.poll()).state).toBe('expired_token');
});

test('a poll during the removal of its person waits for the removal, and neither fails', async () => {
  const terminal = await start();
  const member = await home.join('developer');
  expect((await terminal.approve(member.visitor)).status).toBe(204);
  await query('begin');
  await query('select from organisations where organisation_id = $1 for update', [fromId('org', home.id)]);
  const removed = home.owner.visitor.call('POST', `${home.base}/members/${member.memberId}/remove`, { keys: 'keep' });
  await untilLocksWaited(site.database.superuser, 1);
  const polled = terminal.poll();
  await untilLocksWaited(site.database.superuser, 2);
  await query('rollback');
  expect([(await removed).status, (await polled).state]).toEqual([200, 'expired_token']);
});

/**
 * Sends 15 requests at a time: 60 would wait for the five connections of a Console until the timeout on a busy machine.
 */
async function inSets(count: number, ask: (at: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let from = 0; from < count; from += 15) {
    const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => ask(from + at)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

test('a person’s guesses of device codes stop at 40 on all nodes, from any network', async () => {
  const { visitor } = await site.newPerson();
  const guess = (from: string, by = visitor) =>
    by.call('POST', `${PATH}/find`, { userCode: newUserCode() }, { 'x-forwarded-for': from });
  // The requests are concurrent, so a count after the lookup would be seen. Each comes from another network, so that
  // the limit of the person applies.
  const statuses = await inSets(60, (at) => guess(`198.51.100.${at}`));
  expect(statuses.toSorted()).toEqual([...Array(40).fill(404), ...Array(20).fill(429)]);
  const refused = await guess('203.0.113.1');
  expect(statusAndCode(refused)).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
  // Another person is limited only by their network. The counts are in the database, which all nodes share.
  const { visitor: neighbour } = await site.newPerson();
  await query("update user_code_tries set tries = 39 where place = 'network 203.0.113.1/32'");
  const next = [await guess('203.0.113.1', neighbour), await guess('203.0.113.1', neighbour)].map(
    ({ status }) => status,
  );
  expect(next).toEqual([404, 429]);
  const approve = () =>
    site
      .newVisitor()
      .call(
        'POST',
        `${home.base}/device-sign-ins`,
        { userCode: newUserCode(), scope: 'read', expiresInDays: 7 },
        { cookie: home.owner.visitor.cookie },
      );
  const wrong = await inSets(45, approve);
  expect([...new Set(wrong)].toSorted()).toEqual([404, 429]);
  expect(wrong.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
  await query("update user_code_tries set since = since - interval '10 minutes'");
  expect((await guess('203.0.113.1')).status).toBe(404);
});

test('a network can start at most 20 sign-ins within an hour', async () => {
  const terminal = site.newVisitor();
  const statuses: unknown[] = [];
  for (let at = 0; at < 21; at += 1) statuses.push((await terminal.call('POST', PATH, { device: 'd' })).status);
  expect(statuses).toEqual([...Array(20).fill(201), 429]);
});
