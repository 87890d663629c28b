// The receiver's guide: its test vector and its table of mistakes are right, and its receiver in JavaScript accepts
// real deliveries and refuses everything else. receivers-guide-python.test.ts covers Python, and `npm run prove --
// guide` covers Go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secret } from '../src/kit/crypto/secret.ts';
import { sign } from '../src/kit/crypto/standard-webhooks.ts';
import { type DispatchFixture, testWorld } from '../src/webhooks/dispatch/dispatch.fixture.ts';
import { MISTAKES } from '../src/webhooks/signatures/diagnosis.ts';
import { DELIVERY_HEADERS } from '../src/webhooks/webhooks/delivery-headers.ts';
import { exampleIn, guide } from './guide-examples.ts';
import { checkReceiver, runExample } from './receivers-guide.fixture.ts';

let world: DispatchFixture;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

test('the receiver in JavaScript accepts each real delivery once, and refuses everything else', async () => {
  await checkReceiver(world, (given) => runExample(process.execPath, 'receiver.mjs', exampleIn('js'), given));
});

test('the test vector of the guide is right', () => {
  const value = (name: string): string => new RegExp(`^${name} +(.*)$`, 'm').exec(guide)?.[1] ?? '';
  const signed = sign([secret(value('secret'))], value('id'), Number(value('timestamp')), value('body'));
  expect(signed).toBe(value('signature'));
});

test('the guide names every header of a delivery', () => {
  const part = guide.slice(guide.indexOf('| header |'), guide.indexOf('A signature is'));
  const named = [...part.matchAll(/`((?:webhook|slipway)-[\w-]+|traceparent)`/g)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(DELIVERY_HEADERS));
});

test('the guide lists every mistake that the doctor detects, with its fix', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, mistake, fix]) => [mistake, fix]);
  expect(Object.fromEntries(rows)).toEqual(MISTAKES);
});
