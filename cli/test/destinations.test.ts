// Tests destinations of notices, mail settings and answers to deprecations on a real Console with a sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Crane, openCrane } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;
beforeAll(async () => {
  home = await openCrane();
  ({ terminal } = home);
});
afterAll(() => home.close());

test('creates, lists, changes, tests and deletes a destination of notices', async () => {
  const line = async (words: string): Promise<unknown> => (await terminal.run(words)).lines()[0];
  const url = 'https://alerts.example.org/slipway';
  const created = (await line(`destinations create --kind webhook --name Alerts --url ${url}`)) as {
    destination: { id: string };
    signingSecret: string;
  };
  const { id } = created.destination;
  expect(created.signingSecret).toMatch(/^whsec_/);
  const fields = '--json id,kind,host,mutedKinds,state';
  const shown = { id, kind: 'webhook', host: 'alerts.example.org', mutedKinds: [], state: 'enabled' };
  expect(await line(`destinations list ${fields}`)).toEqual(shown);
  const muted = { ...shown, mutedKinds: ['key_expires', 'event_scopes'], state: 'disabled' };
  const change = '--muted-kinds key_expires,event_scopes --state disabled';
  expect(await line(`destinations update ${id} ${change} ${fields}`)).toEqual(muted);
  await terminal.run(`destinations update ${id} --state enabled`);
  expect(await terminal.run(`destinations test ${id}`, { isTerminal: true })).toMatchObject({
    code: 0,
    err: expect.stringContaining(`A test message to ${id} is queued.\n`),
  });
  const completed = await terminal.run(['complete', '--', 'destinations', 'delete', '']);
  expect(completed.out).toBe(`${id}\twebhook Alerts\n`);
  expect((await terminal.run(`destinations delete ${id}`)).code).not.toBe(0); // asks first
  expect((await terminal.run(`destinations delete ${id} --yes`)).code).toBe(0);
  expect((await terminal.run('destinations list', { isTerminal: true })).err).toContain('Nothing found.\n');
});

test('refuses a chat without a production environment, and an unknown kind', async () => {
  const url = 'https://hooks.slack.com/services/T000/B000/X000';
  const sandbox = `destinations create --kind slack --name Chat --url ${url} --environments sandbox`;
  expect(await terminal.run(sandbox)).toMatchObject({ code: 1, err: expect.stringContaining('environments') });
  expect((await terminal.run(`destinations create --kind pigeon --name Chat --url ${url}`)).code).not.toBe(0);
});

test('acknowledges, snoozes and reopens a deprecation, and shows the mail settings', async () => {
  const id = 'ticket-requester-external-id';
  const answer = async (words: string): Promise<unknown> =>
    (await terminal.run(`deprecations ${words} --json status,snoozedUntil`)).lines()[0];
  expect(await answer(`acknowledge ${id}`)).toEqual({ status: 'acknowledged', snoozedUntil: null });
  const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  expect(await answer(`snooze ${id} --until ${until}`)).toEqual({ status: 'snoozed', snoozedUntil: until });
  expect(await answer(`reopen ${id}`)).toEqual({ status: 'unanswered', snoozedUntil: null });
  expect((await terminal.run('notices mail-settings')).lines()).toEqual([{ timing: null, mutedKinds: [] }]);
});
