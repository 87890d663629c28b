// The exhaustive sweep: every operation of both APIs, called by everybody on everything in every state, against a model that
// knows nothing of the server (sweep/model.ts).
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCells, apiForms } from './sweep/api-cells.ts';
import type { SweptApp } from './sweep/apps.ts';
import { consoleCells, sweptOperations } from './sweep/console-cells.ts';
import { type Home, startHome } from './sweep/home.ts';
import { API, CONSOLE } from './sweep/model.ts';

import { type Others, runCells } from './sweep/run.ts';

let home: Home;
let others: Others;
beforeAll(async () => {
  home = await startHome();
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

test('the model knows each operation and nothing else, and imports nothing', () => {
  expect(Object.keys(API).sort()).toEqual(apiForms.map(({ name }) => name).sort());
  expect(Object.keys(CONSOLE).sort()).toEqual(sweptOperations.map(({ id }) => id).sort());
  const text = readFileSync(new URL('./sweep/model.ts', import.meta.url), 'utf8');
  expect(text).not.toMatch(/\bimport\b.*\bfrom\b|\bimport\(|\brequire\(/);
});

// First: the records of /v1's cells name what they asked for, other apps' objects too.
test('the management API answers what the model expects', async () => {
  const started = performance.now();
  const { count, differences } = await runCells(consoleCells(home), others);
  console.log(`${count} cells of the management API in ${Math.round(performance.now() - started)} ms`);
  expect(differences.slice(0, 20)).toEqual([]);
}, 60_000);

test('/v1 answers what the model expects', async () => {
  const started = performance.now();
  const { count, differences } = await runCells(apiCells(home), others);
  console.log(`${count} cells of /v1 in ${Math.round(performance.now() - started)} ms`);
  expect(differences.slice(0, 20)).toEqual([]);
}, 60_000);
