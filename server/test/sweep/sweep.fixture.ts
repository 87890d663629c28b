// The exhaustive sweep: every operation of both APIs, by every kind of caller, on every object in every state. The
// expected results come from a model that is independent of the server (sweep/model.ts, sweep/spaces-model.ts and
// sweep/console-model.ts). A new operation needs a line in the model. It needs a line in sweep/call-inputs.ts if its path
// and first example do not determine the call. A new kind of object needs a line in sweep/object-kinds.ts.
//
// SLIPWAY_CONTRACT selects the contract, and must be set before this module is imported.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../harness.ts';
import { allowedCells, apiCells, apiForms } from './api-cells.ts';
import { consoleCells, sweptOperations } from './console-cells.ts';
import { CONSOLE } from './console-model.ts';
import { listShown } from './listed-servers.ts';
import { isListed } from './model.ts';
import type { SweptApp } from './object-kinds.ts';
import { type Cell, type OtherTenants, runCells, sampleCells } from './run.ts';
import { callCells, grantCells, keyChangeCells, leakCells } from './state-cells.ts';
import { type SweepServices, startSweepServices } from './sweep-services.ts';
import { swept } from './swept.ts';
import type { SweptList } from './swept-contract.ts';

const TIMEOUT_MS = 300_000;

interface SweepOptions {
  /**
   * The management API is called in one of this many cells, because its cells take ten times as long as those of /v1.
   * `npm run prove -- sweep` calls each.
   */
  oneIn: number;
  /** The fewest cells. */
  minimum: number;
}

export function sweepEveryOperation({ minimum, ...options }: SweepOptions): void {
  const oneIn = Number(process.env.SLIPWAY_SWEEP_ONE_IN ?? options.oneIn);
  let home: SweepServices;
  let others: OtherTenants;
  let total = 0;
  beforeAll(async () => {
    home = await startSweepServices();
    const { sibling, foreign } = home.apps;
    const of = (app: SweptApp): string[] => [
      app.id,
      ...Object.values(app.objects),
      ...app.servers.flatMap(({ ids }) => Object.values(ids)),
    ];
    const organisation = new Set([home.organisations.foreign, ...of(foreign)]);
    others = { organisation, app: new Set([...organisation, ...of(sibling)]) };
  });
  afterAll(() => home.close());

  async function sweep(what: string, cells: Iterable<Cell>): Promise<void> {
    const startedAtMs = performance.now();
    const { count, differences } = await runCells(cells, others);
    total += count;
    console.log(`sweep: ${count} cells of ${what} in ${Math.round(performance.now() - startedAtMs)} ms`);
    expect(count).toBeGreaterThan(0);
    expect(differences.slice(0, 20)).toEqual([]);
  }

  test('the model knows exactly the operations, and imports nothing', () => {
    expect(Object.keys(swept.rules).sort()).toEqual(apiForms.map(({ name }) => name).sort());
    expect(Object.keys(CONSOLE).sort()).toEqual(sweptOperations.map(({ id }) => id).sort());
    const textOf = (file: string): string => readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
    const others = textOf('console-model.ts') + textOf('spaces-model.ts');
    const text = textOf('model.ts') + others.replaceAll(" from './model.ts'", '');
    expect(text).not.toMatch(/\bfrom '|\bimport\(|\brequire\(/);
  });

  // These come before the cells of /v1, whose records name requested objects of other apps.
  test(
    'the management API responds as the model expects',
    () => sweep('the management API', sampleCells(oneIn, consoleCells(home))),
    TIMEOUT_MS,
  );

  test(
    'a change leads to the result that the model expects, from every state',
    async () => {
      await sweep('changes of grants', await grantCells(home));
      await sweep('changes of keys', await keyChangeCells(home));
      await sweep('reports of keys', await leakCells(home));
    },
    TIMEOUT_MS,
  );

  test(
    'a call by a key’s id gets the response that the key itself would get',
    async () => sweep('calls', await callCells(home)),
    TIMEOUT_MS,
  );

  /** Compares a list over all servers with the granted objects of each app. */
  async function compareList(list: SweptList, limit: number): Promise<void> {
    const { path, granted: needed, idName } = list;
    const known = Object.values(home.apps).flatMap(({ servers }) => servers.flatMap(({ ids }) => ids[idName] ?? []));
    for (const app of [home.apps.own, home.apps.sibling, home.apps.foreign]) {
      const granted = app.servers.flatMap(({ grants, ids }) => (isListed(grants, needed) ? (ids[idName] ?? []) : []));
      const listed = async (): Promise<string[]> => {
        const shown = await listShown(home, app, list, limit);
        return known.filter((id) => shown.has(id)).sort();
      };
      // An older transaction in the cluster delays events, so only events may appear late.
      const isLate = path === '/v1/events';
      const all = await until(async () => {
        const found = await listed();
        return (!isLate || found.length >= granted.length) && found;
      });
      expect([path, all]).toEqual([path, granted.sort()]);
    }
  }

  async function compareLists(limit: number): Promise<void> {
    for (const list of swept.lists) await compareList(list, limit);
  }

  test('lists show exactly the granted objects', () => compareLists(100));

  test(
    'without row-level security the sweep finds no difference, because operations separate tenants themselves',
    async () => {
      const { superuser } = home.console.plane.database;
      const { rows } = await superuser.query<{ name: string }>(
        "select relname as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace",
      );
      expect(rows.length).toBeGreaterThan(20);
      const off = rows.map(({ name }) => `alter table ${name} disable row level security`);
      await superuser.query(off.join(';'));
      await sweep('the management API without row-level security', sampleCells(oneIn, consoleCells(home, ['owner'])));
      await sweep('/v1 without row-level security', allowedCells(home));
      await compareLists(99); // another page than the cached one
      await superuser.query(off.join(';').replaceAll('disable', 'enable'));
    },
    TIMEOUT_MS,
  );

  test('/v1 responds as the model expects', () => sweep('/v1', apiCells(home)), TIMEOUT_MS);

  test('the sweep has the promised size', () => {
    console.log(`sweep: ${total} cells`);
    expect(total).toBeGreaterThanOrEqual(minimum);
  });
}
