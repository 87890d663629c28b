// Fuzzing of a contract with envelopes, states, alternatives in schemas, replacements and actions.
import { vi } from 'vitest';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/shop', import.meta.url).pathname;
});
const { fuzzOwnContract } = await import('./own-contract-fuzz.fixture.ts');

// A replacement must repeat the identifier of its path, which no schema expresses.
fuzzOwnContract(['/query/size', '/query/limit', '/sku']);
