// The sweep of a contract with granting objects, objects of the account, and parents in bodies.
import { vi } from 'vitest';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/spaces', import.meta.url).pathname;
});
const { sweepEveryOperation } = await import('./sweep/sweep.fixture.ts');

sweepEveryOperation({ oneIn: 10, minimum: 5_000 });
