// The exhaustive sweep: every operation of both APIs, by every kind of caller, on every object in every state. The
// expected results come from a model that is independent of the server (sweep/model.ts and sweep/console-model.ts). A
// new operation needs a line in the model. It needs a line in sweep/call-inputs.ts if its path and first example do not
// determine the call. A new kind of object needs a line in sweep/object-kinds.ts.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './harness.ts';
import { allowedCells, apiCells, apiForms } from './sweep/api-cells.ts';
import { consoleCells, sweptOperations } from './sweep/console-cells.ts';
import { CONSOLE } from './sweep/console-model.ts';
import { listShown } from './sweep/listed-servers.ts';
import { API, isListed, type SweepScope } from './sweep/model.ts';
import type { SweptApp } from './sweep/object-kinds.ts';
import { type Cell, type OtherTenants, runCells, sampleCells } from './sweep/run.ts';
import { callCells, grantCells, keyChangeCells, leakCells } from './sweep/state-cells.ts';
import { type SweepServices, startSweepServices } from './sweep/sweep-services.ts';

const TIMEOUT_MS = 300_000;
const MINIMUM = 5_000;
/**
 * The management API is called in one of this many cells, because its cells take ten times as long as those of /v1.
 * `npm run prove -- sweep` calls each.
 */
const ONE_IN = Number(process.env.SLIPWAY_SWEEP_ONE_IN ?? 3);

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
  expect(Object.keys(API).sort()).toEqual(apiForms.map(({ name }) => name).sort());
  expect(Object.keys(CONSOLE).sort()).toEqual(sweptOperations.map(({ id }) => id).sort());
  const textOf = (file: string): string => readFileSync(new URL(`./sweep/${file}`, import.meta.url), 'utf8');
  const text = textOf('model.ts') + textOf('console-model.ts').replace(" from './model.ts'", '');
  expect(text).not.toMatch(/\bfrom '|\bimport\(|\brequire\(/);
});

// These come before the cells of /v1, whose records name requested objects of other apps.
test(
  'the management API responds as the model expects',
  () => sweep('the management API', sampleCells(ONE_IN, consoleCells(home))),
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
  () => sweep('calls', callCells(home)),
  TIMEOUT_MS,
);

/** Compares lists over all servers with the granted objects of the app. */
async function compareLists(limit: number): Promise<void> {
  for (const app of [home.apps.own, home.apps.sibling, home.apps.foreign]) {
    for (const [path, scope] of [
      ['/v1/servers', 'servers:read'],
      ['/v1/events', 'events:read'],
    ] as const satisfies [string, SweepScope][]) {
      const known = Object.values(home.apps).flatMap(({ servers }) => servers.map(({ ids }) => ids.serverId));
      // Each server has an event of a ticket.
      const needed: SweepScope[] = path === '/v1/events' ? [scope, 'tickets:create'] : [scope];
      const granted = app.servers.filter(({ grants }) => isListed(grants, needed)).map(({ ids }) => ids.serverId);
      const list = async (): Promise<string[]> => {
        const shown = await listShown(home, app, path, scope, limit);
        return known.filter((id) => shown.has(id)).sort();
      };
      // An older transaction in the cluster delays events, so only events may appear late.
      const isLate = path === '/v1/events';
      const all = await until(async () => {
        const found = await list();
        return (!isLate || found.length >= granted.length) && found;
      });
      expect([path, all]).toEqual([path, granted.sort()]);
    }
  }
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
    await sweep('the management API without row-level security', sampleCells(ONE_IN, consoleCells(home, ['owner'])));
    await sweep('/v1 without row-level security', allowedCells(home));
    await compareLists(99); // another page than the cached one
    await superuser.query(off.join(';').replaceAll('disable', 'enable'));
  },
  TIMEOUT_MS,
);

test('/v1 responds as the model expects', () => sweep('/v1', apiCells(home)), TIMEOUT_MS);

test('the sweep has the promised size', () => {
  console.log(`sweep: ${total} cells`);
  expect(total).toBeGreaterThanOrEqual(MINIMUM);
});
