// The sweep of production: the upstream API's report, the cap, the approval and the organisation's restriction together
// determine access. The expected results come from a model that is independent of the server
// (sweep/restricted-model.ts).
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduction } from './production.fixture.ts';
import { startReferenceUpstream } from './reference-upstream.ts';
import { type RestrictedEnvironment, restrictedCells, restrictionCells } from './sweep/restricted-cells.ts';
import { type Cell, runCells } from './sweep/run.ts';

const TIMEOUT_MS = 300_000;
/** Calls are made in one of this many states. `npm run prove -- sweep` covers each state. */
const ONE_IN = Number(process.env.SLIPWAY_SWEEP_ONE_IN ?? 4);

let home: RestrictedEnvironment;
beforeAll(async () => {
  const upstream = await startReferenceUpstream();
  home = { upstream, production: await startProduction({}, { url: upstream.url }) };
});
afterAll(async () => {
  await home.production.close();
  await home.upstream.close();
});

async function sweep(what: string, cells: readonly Cell[]): Promise<void> {
  const none = new Set<string>();
  const { count, differences } = await runCells(cells, { app: none, organisation: none });
  console.log(`sweep: ${count} cells of ${what}`);
  expect(count).toBeGreaterThan(0);
  expect(differences.slice(0, 20)).toEqual([]);
}

test('the model of production imports nothing of the server', () => {
  const text = readFileSync(new URL('./sweep/restricted-model.ts', import.meta.url), 'utf8');
  expect(text.replace(" from './model.ts'", '')).not.toMatch(/\bfrom '|\bimport\(|\brequire\(/);
});

test(
  '/v1 of production responds as the model expects, and explains access consistently',
  async () => sweep('/v1 in production', await restrictedCells(home, ONE_IN)),
  TIMEOUT_MS,
);

test(
  'a change of a restriction responds as the model expects, and leads to the expected state',
  async () => sweep('restrictions', await restrictionCells(home)),
  TIMEOUT_MS,
);
