// The receiver that every sandbox starts with follows docs/webhooks/receiving.md: it passes the receiver drill.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DrillSandbox, startDrillSandbox } from '../../../test/drills.fixture.ts';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import { type DemoReceiver, startDemoReceiver } from './index.ts';

let receiver: DemoReceiver;
let setup: DrillSandbox;
const secrets: Secret[] = [];
beforeAll(async () => {
  receiver = await startDemoReceiver({ host: '127.0.0.1', port: 0, secrets: async () => secrets, log: () => {} });
  setup = await startDrillSandbox([new URL(receiver.url).host]);
});
afterAll(async () => {
  await setup.close();
  await receiver.close();
});

test("the demo's receiver passes every step of the receiver drill, twice", async () => {
  const app = await setup.sandbox.newApp();
  const endpoint = await setup.addEndpoint(app, (await app.key()).id, receiver.url);
  secrets.push(secret(endpoint.secret));
  for (const _ of ['first', 'second']) {
    const { body } = await setup.start({ app, endpointId: endpoint.endpointId });
    const { status, summary, steps } = await setup.ended(app, body.id);
    expect(steps.filter((step) => step.verdict !== 'passed')).toEqual([]);
    expect([status, summary]).toEqual(['completed', { passed: 12, failed: 0, unseen: 0, notSent: 0 }]);
  }
});
