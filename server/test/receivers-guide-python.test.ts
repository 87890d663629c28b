// The receivers' guide in Python, in a suite of its own: Node is not enough for it.
import { afterAll, beforeAll, test } from 'vitest';
import { testWorld, type World } from '../src/webhooks/dispatch/dispatch.fixture.ts';
import { exampleIn } from './guide-examples.ts';
import { checkReceiver, runExample } from './receivers-guide.fixture.ts';

let world: World;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

test('the receiver in Python accepts real deliveries, each once, and nothing else', async () => {
  await checkReceiver(world, (given) => runExample('python3', 'receiver.py', exampleIn('python'), given));
});
