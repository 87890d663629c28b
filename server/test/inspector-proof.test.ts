// The short form of `npm run prove -- inspector`: a node that is killed under load has kept its records, and a node
// that responds too early is detected. canaries.test.ts contains its sweep of canaries.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { killUnderLoad } from '../../prove/inspector/crashes.ts';
import { type App, openWebhookSetup, type WebhookSetup } from '../../prove/webhooks/setup.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

let database: TestDatabase;
let setup: WebhookSetup;
let app: App;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase('plane');
  const superuserUrl = new URL(inject('superuserUrl'));
  superuserUrl.pathname = new URL(database.url).pathname;
  setup = await openWebhookSetup(database.url, superuserUrl.href);
  app = await setup.addApp();
  folder = await mkdtemp(join(tmpdir(), 'slipway-proof-'));
});
afterAll(async () => {
  await setup.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const input = () => ({ folder, connections: 12, afterMs: 50 });

test('a node that is killed under load has kept or counted all answered requests', async () => {
  const { authenticated, unauthenticated, lost, uncounted } = await killUnderLoad(setup, app, input());
  expect(authenticated.length).toBeGreaterThan(100);
  expect(unauthenticated.length).toBeGreaterThan(20);
  expect([lost, uncounted]).toEqual([[], 0]);
}, 60_000);

test('a node that responds before its records are committed is detected', async () => {
  const { lost } = await killUnderLoad(setup, app, { ...input(), isEarly: true });
  expect(lost.length).toBeGreaterThan(0);
}, 60_000);
