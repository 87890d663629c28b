// The parts of a forecast: cut after every step, they end with the same totals as one run.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { drawOf, type History, makeHistory } from '../../../test/recorded-history.fixture.ts';
import { asManager } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { isKeyed, requirementsOf } from '../../listeners/management.ts';
import { publicOperations } from '../../listeners/sandbox-api.ts';
import { type AccessChangeInput, toAccessChange } from './access-change.ts';
import { newTotals, type Position } from './access-forecast.ts';
import { runForecast } from './run-forecast.ts';

let sandbox: Sandbox;
let history: History;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  history = await makeHistory(sandbox, drawOf('parts'), 300);
});
afterAll(() => sandbox.close());

const operations = new Map(
  publicOperations
    .filter(isKeyed)
    .map(requirementsOf)
    .map((one) => [one.id, one]),
);

function begin(): Position {
  const untilMs = Date.now();
  const sinceMs = untilMs - 30 * 86_400_000;
  return { sinceMs, untilMs, source: undefined, before: undefined, totals: newTotals() };
}

/** Runs one part in its own transaction, as a request does. */
const runPart = (input: AccessChangeInput, position: Position, runForMs: number): Promise<number> =>
  asManager(
    sandbox.plane,
    { organisation_id: sandbox.organisationId, app_id: fromId('app', history.app.id) ?? '' },
    (tenant) =>
      runForecast({ tenant, environment: 'sandbox', operations, change: toAccessChange(input) }, position, runForMs),
  );

test('a forecast that is cut after every step has the totals and the progress of a whole run', async () => {
  const [{ id: endpointId } = { id: '' }] = history.endpoints;
  const changes: AccessChangeInput[] = [
    { grants: { serverIds: history.app.serverIds, state: 'revoked' } },
    ...history.keys.map(({ id }): AccessChangeInput => ({ key: { keyId: id, state: 'revoked' } })),
    { endpoint: { endpointId, conditions: [{ pointer: '/data/priority', equals: 'urgent' }] } },
  ];
  let examined = 0;
  const parts: number[] = [];
  for (const change of changes) {
    const whole = begin();
    expect(await runPart(change, whole, 60_000)).toBe(1);
    const cut = { ...begin(), sinceMs: whole.sinceMs, untilMs: whole.untilMs };
    const shares: number[] = [];
    do shares.push(await runPart(change, cut, -1));
    while (shares.at(-1) !== 1);
    parts.push(shares.length);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(cut.totals).toEqual(whole.totals);
    examined += whole.totals.examinedRequests + whole.totals.examinedDeliveries;
  }
  // A key with few records needs one step.
  expect(parts[0]).toBeGreaterThan(1);
  expect(parts.at(-1)).toBeGreaterThan(1);
  expect(examined).toBeGreaterThan(700);
});
