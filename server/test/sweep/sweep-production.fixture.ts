// The sweep of production: the upstream API's report, the cap, the approval and the organisation's restriction together
// determine access. The expected results come from a model that is independent of the server
// (sweep/restricted-model.ts). The model has no rule of a contract.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestrictedEnvironment, restrictedCells, restrictionCells } from './restricted-cells.ts';
import { type Cell, runCells } from './run.ts';

const TIMEOUT_MS = 300_000;

export interface StartedEnvironment extends RestrictedEnvironment {
  close(): Promise<void>;
}

/** Calls are made in one of `oneIn` states. `npm run prove -- sweep` covers each state. */
export function sweepProduction(start: () => Promise<StartedEnvironment>, options: { oneIn: number }): void {
  const oneIn = Number(process.env.SLIPWAY_SWEEP_ONE_IN ?? options.oneIn);
  let home: StartedEnvironment;
  beforeAll(async () => {
    home = await start();
  });
  afterAll(() => home.close());

  async function sweep(what: string, cells: readonly Cell[]): Promise<void> {
    const none = new Set<string>();
    const { count, differences } = await runCells(cells, { app: none, organisation: none });
    console.log(`sweep: ${count} cells of ${what}`);
    expect(count).toBeGreaterThan(0);
    expect(differences.slice(0, 20)).toEqual([]);
  }

  test('the model of production imports nothing of the server', () => {
    const text = readFileSync(new URL('./restricted-model.ts', import.meta.url), 'utf8');
    expect(text.replace(" from './model.ts'", '')).not.toMatch(/\bfrom '|\bimport\(|\brequire\(/);
  });

  test(
    '/v1 of production responds as the model expects, and explains access consistently',
    async () => sweep('/v1 in production', await restrictedCells(home, oneIn)),
    TIMEOUT_MS,
  );

  test(
    'a change of a restriction responds as the model expects, and leads to the expected state',
    async () => sweep('restrictions', await restrictionCells(home)),
    TIMEOUT_MS,
  );
}
