// The receiver's guide in Python, in a separate suite, because it needs python3.
import { afterAll, beforeAll, test } from 'vitest';
import { type DispatchFixture, testWorld } from '../src/webhooks/dispatch/dispatch.fixture.ts';
import { exampleIn } from './guide-examples.ts';
import { checkReceiver, runExample } from './receivers-guide.fixture.ts';

let world: DispatchFixture;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

test('the receiver in Python accepts each real delivery once, and refuses everything else', async () => {
  await checkReceiver(world, (given) => runExample('python3', 'receiver.py', exampleIn('python'), given));
});
