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
const instances: SlipwayInstance[] = [];
const file = (name: string) => join(files, name);

async function newInstance(): Promise<SlipwayInstance> {
  const instance = await createInstance();
  instances.push(instance);
  return instance;
}

async function command(instance: SlipwayInstance, args: string[], settings = {}): Promise<string> {
  const run = instance.start(settings, args);
  run.child.stdin?.on('error', () => {}); // a command that reads no passphrase
  run.child.stdin?.end(PASSPHRASE);
  const code = await run.exited;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${run.stderr()}`);
  return run.stdout();
}

/** Calls the Console's API as a member. */
const as = (instance: SlipwayInstance, cookie: string) => ({
  get: async <Body>(path: string) => ask<Body>(`${instance.consoleUrl}/api${path}`, { headers: { cookie } }),
  post: async <Body>(path: string, body: unknown) => send<Body>(`${instance.consoleUrl}/api${path}`, body, { cookie }),
  change: async (method: 'PUT' | 'PATCH', path: string, body: unknown) =>
    ask(`${instance.consoleUrl}/api${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', 'slipway-console': '1' },
      body: JSON.stringify(body),
    }),
});

async function signInByPassword(instance: SlipwayInstance, email: string): Promise<string> {
  const answer = await send(`${instance.consoleUrl}/api/session`, { email, password: PASSWORD });
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
  source = await newInstance();
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
afterAll(() => Promise.all(instances.map((instance) => instance.remove())));

const answerTo = async (instance: SlipwayInstance, key: { token: string }): Promise<unknown> => {
  const { status, body } = await listServers(instance, key.token);
  return status === 200 ? body.data.map(({ id }) => id) : [status, (body as { code?: string }).code];
};

/** Runs steps 1 to 3 of the guide, up to the file of owners. */
async function restoreClosed(settings: Record<string, string>): Promise<SlipwayInstance> {
  const instance = await newInstance();
  expect(await command(instance, ['restore', file('backup')], settings)).toMatch(
    /It is closed: every call is answered 503/,
  );
  await instance.start(settings).ready;
  for (const key of Object.values(keys)) expect(await answerTo(instance, key)).toEqual([503, 'unavailable']);
  const closed = await listServers(instance, keys.kept.token);
  expect(closed.body).toMatchObject({ detail: expect.stringMatching(/restored from a backup and is closed until/) });
  const console = await ask(`${instance.consoleUrl}/api/session`);
  expect([console.status, console.body]).toMatchObject([
    503,
    { detail: expect.stringMatching(/restored from a backup and is closed until/) },
  ]);
  return instance;
}

/** Removes the owner who was removed after the backup from the list. */
function removeOwnerLine(name: string): void {
  const lines = readFileSync(file(name), 'utf8').split('\n');
  expect(lines.filter((line) => line.includes('owner@example.org'))).toHaveLength(2);
  writeFileSync(file(name), lines.filter((line) => !line.includes('removed-owner@')).join('\n'));
}

/** Expects that members who were removed after the backup have no access. The others sign in again. */
async function expectMembers(instance: SlipwayInstance): Promise<string> {
  expect((await as(instance, operator).get('/session')).status).toBe(401);
  const path = `/organisations/${organisationId}/members`;
  for (const email of ['removed@example.org', 'removed-owner@example.org']) {
    const cookie = await signInByPassword(instance, email);
    expect((await as(instance, cookie).get(path)).status).toBe(404);
    expect((await as(instance, cookie).get(`${ofApp()}/keys`)).status).toBe(404);
  }
  const owner = await signInByPassword(instance, 'owner@example.org');
  expect((await as(instance, owner).get(path)).status).toBe(200);
  return owner;
}

test('after a restore with the journal the revoked key, the revoked server and the removed members have no access, and the other key works', async () => {
  const settings = { SLIPWAY_SANDBOX_REVOCATION_JOURNAL: file('journal') };
  const instance = await restoreClosed(settings);
  const reopenArgs = ['reopen', '--journal', file('journal'), '--owners', file('owners')];
  const counted = await command(instance, reopenArgs);
  expect(counted).toMatch(
    /^Console: would end \d+ sessions, .* suspend 1 members, suspend 0 owners, .* remove \d+ operators/m,
  );
  expect(counted).toMatch(/^Sandbox: would apply [1-9]\d* lines of the journal\. The journal ends with line \d+ of /m);
  expect(counted).toMatch(/^No database was changed\./m);
  expect(await answerTo(instance, keys.kept)).toEqual([503, 'unavailable']);
  removeOwnerLine('owners');
  const done = await command(instance, [...reopenArgs, '--yes']);
  expect(done).toMatch(/^Console: .* 1 members suspended, 1 owners suspended, .*The gate is open\.$/m);
  expect(done).toMatch(/^Sandbox: .*1 key\.revoked.*1 server\.revoked.*The gate is open\.$/m);

  await until(async () => (await listServers(instance, keys.kept.token)).status === 200);
  expect(await answerTo(instance, keys.kept)).toEqual(serverIds.slice(1));
  expect(await answerTo(instance, keys.lost)).toEqual([401, 'revoked_key']);
  expect(await answerTo(instance, keys.first)).toEqual([401, 'revoked_key']);
  const owner = await expectMembers(instance);
  // The worker continues the journal, and the Console accepts the operator who was created again.
  const link = /#link=(\S+)/.exec(await command(instance, ['create-operator', 'ada@example.org']))?.[1] ?? '';
  const { cookie } = await signIn(instance, link);
  expect((await as(instance, cookie).get('/operator/organisations')).status).toBe(200);
  expect((await as(instance, owner).post(`${ofApp()}/keys/${keys.kept.id}/revoke`, {})).status).toBe(200);
  const revoked = () => readFileSync(file('journal'), 'utf8').split('key.revoked').length - 1;
  await until(() => revoked() === 3 + 1); // the first, lost and kept key, and the lost key again by the command
  expect(await command(instance, ['reopen'])).toMatch(/^No gate is closed/);
});

test('after a restore without the journal all keys and grants are withdrawn, and the owner opens access again', async () => {
  const instance = await restoreClosed({});
  const refused = await command(instance, ['reopen', '--yes']).catch((error: Error) => error.message);
  expect(refused).toMatch(/may name owners who are no owners any more/);
  expect(await answerTo(instance, keys.kept)).toEqual([503, 'unavailable']);
  const counted = await command(instance, ['reopen', '--owners', file('owners2')]);
  expect(counted).toMatch(
    /^Sandbox: would revoke [1-9]\d* keys, pause [1-9]\d* server grants, pause [1-9]\d* scope grants, enforce event scopes for 0 apps$/m,
  );
  removeOwnerLine('owners2');
  const done = await command(instance, ['reopen', '--owners', file('owners2'), '--yes']);
  expect(done).toMatch(/^Sandbox: [1-9]\d* keys revoked, .*The gate is open\.$/m);
  await until(async () => (await listServers(instance, keys.kept.token)).status !== 503);
  for (const key of Object.values(keys)) expect(await answerTo(instance, key)).toEqual([401, 'revoked_key']);

  const owner = as(instance, await expectMembers(instance));
  const created = await owner.post<{ token: string }>(`${ofApp()}/keys`, {
    name: 'New',
    scopes: SCOPES,
    expiresInDays: 30,
  });
  expect(await answerTo(instance, created.body)).toEqual([]);
  const of = `${ofApp()}/servers/${serverIds[1]}/installation`;
  expect((await owner.change('PUT', of, { state: 'authorised' })).status).toBe(200);
  const scope = await owner.change('PUT', `${of}/scopes/servers:read`, { state: 'authorised' });
  expect(scope.status).toBe(200);
  expect(await answerTo(instance, created.body)).toEqual([serverIds[1]]);
  const removed = await owner.get<{ data: { id: string; email: string; suspendedAt: string | null }[] }>(
    `/organisations/${organisationId}/members?limit=100`,
  );
  const suspended = removed.body.data.filter(({ suspendedAt }) => suspendedAt !== null).map(({ email }) => email);
  expect(suspended).toContain('removed-owner@example.org');
  expect(suspended).not.toContain('owner@example.org');
});
