// A restore as docs/operate/backup-and-disaster-recovery.md describes it, with the commands of the operator. With a
// revocation journal and without one, access that was revoked after the backup stays revoked, and other access works.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstance, type SlipwayInstance, until } from './slipway.ts';
import { ask, listServers, readNote, send, signIn, signUp } from './visitor.ts';

const PASSPHRASE = 'a passphrase for tests, of no other use';
const PASSWORD = 'a long sentence is a good one'; // the password of signUp
const SCOPES = ['servers:read', 'tickets:create'];

let source: SlipwayInstance;
let files: string;
let operator: string;
let organisationId: string;
let appId: string;
let keys: Record<'first' | 'lost' | 'kept', { id: string; token: string }>;
let serverIds: string[];
const places: SlipwayInstance[] = [];
const file = (name: string) => join(files, name);

async function newPlace(): Promise<SlipwayInstance> {
  const place = await createInstance();
  places.push(place);
  return place;
}

async function command(place: SlipwayInstance, args: string[], settings = {}): Promise<string> {
  const run = place.start(settings, args);
  run.child.stdin?.on('error', () => {}); // a command that reads no passphrase
  run.child.stdin?.end(PASSPHRASE);
  const code = await run.exited;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${run.stderr()}`);
  return run.stdout();
}

/** Calls the Console's API as a member. */
const as = (place: SlipwayInstance, cookie: string) => ({
  get: async <Body>(path: string) => ask<Body>(`${place.consoleUrl}/api${path}`, { headers: { cookie } }),
  post: async <Body>(path: string, body: unknown) => send<Body>(`${place.consoleUrl}/api${path}`, body, { cookie }),
  change: async (method: 'PUT' | 'PATCH', path: string, body: unknown) =>
    ask(`${place.consoleUrl}/api${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', 'slipway-console': '1' },
      body: JSON.stringify(body),
    }),
});

async function signInByPassword(place: SlipwayInstance, email: string): Promise<string> {
  const answer = await send(`${place.consoleUrl}/api/session`, { email, password: PASSWORD });
  expect([email, answer.status < 300]).toEqual([email, true]);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

const ofApp = () => `/sandbox/organisations/${organisationId}/apps/${appId}`;

async function joinAs(email: string, role: string): Promise<void> {
  const invited = await as(source, operator).post<{ url: string }>(`/organisations/${organisationId}/invitations`, {
    email,
    role,
  });
  const cookie = await signUp(source, operator, email);
  const token = invited.body.url.split('#token=')[1];
  expect((await as(source, cookie).post('/invitations/accept', { token })).status).toBeLessThan(300);
}

async function memberId(email: string): Promise<string> {
  const path = `/organisations/${organisationId}/members?limit=100`;
  const { body } = await as(source, operator).get<{ data: { id: string; email: string }[] }>(path);
  return body.data.find((member) => member.email === email)?.id ?? '';
}

beforeAll(async () => {
  source = await newPlace();
  files = join(dirname(source.dataDir), 'files');
  mkdirSync(files);
  const run = source.start({ SLIPWAY_SANDBOX_REVOCATION_JOURNAL: file('journal') });
  await run.ready;
  operator = (await signIn(source, readNote(source).link)).cookie;
  const owner = as(source, operator);
  organisationId = (await owner.post<{ id: string }>('/organisations', { name: 'Harbour Tools' })).body.id;
  const apps = `/sandbox/organisations/${organisationId}/apps`;
  appId = (await owner.post<{ id: string }>(apps, { name: 'Ticket bridge' })).body.id;
  const makeKey = async (name: string) => {
    const body = { name, scopes: SCOPES, expiresInDays: 30 };
    const created = await owner.post<{ key: { id: string }; token: string }>(`${ofApp()}/keys`, body);
    return { id: created.body.key.id, token: created.body.token };
  };
  keys = { first: await makeKey('First'), lost: await makeKey('Lost'), kept: await makeKey('Kept') };
  serverIds = (await listServers(source, keys.kept.token)).body.data.map(({ id }) => id);
  await joinAs('owner@example.org', 'owner');
  await joinAs('removed@example.org', 'developer');
  await joinAs('removed-owner@example.org', 'owner');

  // The journal begins with its first line.
  expect((await owner.post(`${ofApp()}/keys/${keys.first.id}/revoke`, {})).status).toBe(200);
  await until(() => existsSync(file('journal')) && readFileSync(file('journal'), 'utf8').includes('key.revoked'));
  await command(source, ['backup', file('backup')]);

  expect((await owner.post(`${ofApp()}/keys/${keys.lost.id}/revoke`, {})).status).toBe(200);
  const revoked = await owner.change('PUT', `${ofApp()}/servers/${serverIds[0]}/installation`, { state: 'revoked' });
  expect(revoked.status).toBe(200);
  for (const email of ['removed@example.org', 'removed-owner@example.org']) {
    const path = `/organisations/${organisationId}/members/${await memberId(email)}/remove`;
    expect((await owner.post(path, { keys: 'keep' })).status).toBe(200);
  }
  await until(() => readFileSync(file('journal'), 'utf8').includes('server.revoked'));
  run.child.kill('SIGTERM');
  expect(await run.exited).toBe(0);
});
afterAll(() => Promise.all(places.map((place) => place.remove())));

const answerTo = async (place: SlipwayInstance, key: { token: string }): Promise<unknown> => {
  const { status, body } = await listServers(place, key.token);
  return status === 200 ? body.data.map(({ id }) => id) : [status, (body as { code?: string }).code];
};

/** Runs steps 1 to 3 of the guide, up to the file of owners. */
async function restoreClosed(settings: Record<string, string>): Promise<SlipwayInstance> {
  const place = await newPlace();
  expect(await command(place, ['restore', file('backup')], settings)).toMatch(
    /It is closed: every call is answered 503/,
  );
  await place.start(settings).ready;
  for (const key of Object.values(keys)) expect(await answerTo(place, key)).toEqual([503, 'unavailable']);
  const closed = await listServers(place, keys.kept.token);
  expect(closed.body).toMatchObject({ detail: expect.stringMatching(/restored from a backup and is closed until/) });
  const console = await ask(`${place.consoleUrl}/api/session`);
  expect([console.status, console.body]).toMatchObject([
    503,
    { detail: expect.stringMatching(/restored from a backup and is closed until/) },
  ]);
  return place;
}

/** Removes the owner who was removed after the backup from the list. */
function removeOwnerLine(name: string): void {
  const lines = readFileSync(file(name), 'utf8').split('\n');
  expect(lines.filter((line) => line.includes('owner@example.org'))).toHaveLength(2);
  writeFileSync(file(name), lines.filter((line) => !line.includes('removed-owner@')).join('\n'));
}

/** Expects that members who were removed after the backup have no access. The others sign in again. */
async function expectMembers(place: SlipwayInstance): Promise<string> {
  expect((await as(place, operator).get('/session')).status).toBe(401);
  const path = `/organisations/${organisationId}/members`;
  for (const email of ['removed@example.org', 'removed-owner@example.org']) {
    const cookie = await signInByPassword(place, email);
    expect((await as(place, cookie).get(path)).status).toBe(404);
    expect((await as(place, cookie).get(`${ofApp()}/keys`)).status).toBe(404);
  }
  const owner = await signInByPassword(place, 'owner@example.org');
  expect((await as(place, owner).get(path)).status).toBe(200);
  return owner;
}

test('after a restore with the journal the revoked key, the revoked server and the removed members have no access, and the other key works', async () => {
  const settings = { SLIPWAY_SANDBOX_REVOCATION_JOURNAL: file('journal') };
  const place = await restoreClosed(settings);
  const reopenArgs = ['reopen', '--journal', file('journal'), '--owners', file('owners')];
  const counted = await command(place, reopenArgs);
  expect(counted).toMatch(
    /^Console: would end \d+ sessions, .* suspend 1 members, suspend 0 owners, .* remove \d+ operators/m,
  );
  expect(counted).toMatch(/^Sandbox: would apply [1-9]\d* lines of the journal\. The journal ends with line \d+ of /m);
  expect(counted).toMatch(/^No database was changed\./m);
  expect(await answerTo(place, keys.kept)).toEqual([503, 'unavailable']);
  removeOwnerLine('owners');
  const done = await command(place, [...reopenArgs, '--yes']);
  expect(done).toMatch(/^Console: .* 1 members suspended, 1 owners suspended, .*The gate is open\.$/m);
  expect(done).toMatch(/^Sandbox: .*1 key\.revoked.*1 server\.revoked.*The gate is open\.$/m);

  await until(async () => (await listServers(place, keys.kept.token)).status === 200);
  expect(await answerTo(place, keys.kept)).toEqual(serverIds.slice(1));
  expect(await answerTo(place, keys.lost)).toEqual([401, 'revoked_key']);
  expect(await answerTo(place, keys.first)).toEqual([401, 'revoked_key']);
  const owner = await expectMembers(place);
  // The worker continues the journal, and the Console accepts the operator who was created again.
  const link = /#link=(\S+)/.exec(await command(place, ['create-operator', 'ada@example.org']))?.[1] ?? '';
  const { cookie } = await signIn(place, link);
  expect((await as(place, cookie).get('/operator/organisations')).status).toBe(200);
  expect((await as(place, owner).post(`${ofApp()}/keys/${keys.kept.id}/revoke`, {})).status).toBe(200);
  const revoked = () => readFileSync(file('journal'), 'utf8').split('key.revoked').length - 1;
  await until(() => revoked() === 3 + 1); // the first, lost and kept key, and the lost key again by the command
  expect(await command(place, ['reopen'])).toMatch(/^No gate is closed/);
});

test('after a restore without the journal all keys and grants are withdrawn, and the owner opens access again', async () => {
  const place = await restoreClosed({});
  const refused = await command(place, ['reopen', '--yes']).catch((error: Error) => error.message);
  expect(refused).toMatch(/may name owners who are no owners any more/);
  expect(await answerTo(place, keys.kept)).toEqual([503, 'unavailable']);
  const counted = await command(place, ['reopen', '--owners', file('owners2')]);
  expect(counted).toMatch(
    /^Sandbox: would revoke [1-9]\d* keys, pause [1-9]\d* server grants, pause [1-9]\d* scope grants, enforce event scopes for 0 apps$/m,
  );
  removeOwnerLine('owners2');
  const done = await command(place, ['reopen', '--owners', file('owners2'), '--yes']);
  expect(done).toMatch(/^Sandbox: [1-9]\d* keys revoked, .*The gate is open\.$/m);
  await until(async () => (await listServers(place, keys.kept.token)).status !== 503);
  for (const key of Object.values(keys)) expect(await answerTo(place, key)).toEqual([401, 'revoked_key']);

  const owner = as(place, await expectMembers(place));
  const created = await owner.post<{ token: string }>(`${ofApp()}/keys`, {
    name: 'New',
    scopes: SCOPES,
    expiresInDays: 30,
  });
  expect(await answerTo(place, created.body)).toEqual([]);
  const of = `${ofApp()}/servers/${serverIds[1]}/installation`;
  expect((await owner.change('PUT', of, { state: 'authorised' })).status).toBe(200);
  const scope = await owner.change('PUT', `${of}/scopes/servers:read`, { state: 'authorised' });
  expect(scope.status).toBe(200);
  expect(await answerTo(place, created.body)).toEqual([serverIds[1]]);
  const removed = await owner.get<{ data: { id: string; email: string; suspendedAt: string | null }[] }>(
    `/organisations/${organisationId}/members?limit=100`,
  );
  const suspended = removed.body.data.filter(({ suspendedAt }) => suspendedAt !== null).map(({ email }) => email);
  expect(suspended).toContain('removed-owner@example.org');
  expect(suspended).not.toContain('owner@example.org');
});
