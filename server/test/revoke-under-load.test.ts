// The holder of a key cannot keep it by using it: the end of an access waits for mutations that hold the access, and
// later mutations wait for the end. (With row locks each new mutation overtook the waiting revocation, which never got
// its turn.)
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from './app.ts';

const WRITERS = 64;

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});

const server = (): string => `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
const createTicket = (): Promise<Answer> =>
  sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, json({ subject: 's', body: 'b' }));

/** Writes on all connections until it is stopped, and counts successful writes. */
function flood(): { written(): number; stop(): Promise<void> } {
  let isOver = false;
  let written = 0;
  const writer = async (): Promise<void> => {
    while (!isOver) if ((await createTicket()).status === 201) written += 1;
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  return {
    written: () => written,
    async stop() {
      isOver = true;
      await writers;
    },
  };
}

describe.each<[string, () => Promise<Answer>]>([
  ['revoking the key', () => sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`)],
  ['pausing the installation', () => sandbox.manage('PUT', server(), { state: 'paused' })],
  ['revoking the scope', () => sandbox.manage('PUT', `${server()}/scopes/tickets:create`, { state: 'revoked' })],
])('%s under load', (_, end) => {
  test(`ends the access while ${WRITERS} connections write with it`, async () => {
    const load = flood();
    try {
      await expect.poll(load.written, { timeout: 20_000 }).toBeGreaterThan(WRITERS);
      const startedAt = performance.now();
      const ended = await end();
      console.log(`answered after ${Math.round(performance.now() - startedAt)} ms`);
      expect(ended.status).toBe(200);
      const { rows } = await sandbox.database.superuser.query('select count(*)::int as n from tickets');
      expect((await createTicket()).status).toBeGreaterThanOrEqual(400);
      const after = await sandbox.database.superuser.query('select count(*)::int as n from tickets');
      expect(after.rows[0].n).toBe(rows[0].n);
    } finally {
      await load.stop();
    }
  });
});
