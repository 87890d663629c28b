// Fuzzing of a contract with granting objects, and with parents in bodies.
import { vi } from 'vitest';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/spaces', import.meta.url).pathname;
});
const { fuzzOwnContract } = await import('./own-contract-fuzz.fixture.ts');

fuzzOwnContract(['/space_id', '/task_id']);
