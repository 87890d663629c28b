// The parts of a forecast: cut after every step, they end with the same totals as one run. A part lets the process serve
// other requests.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { drawOf, makeHistory, type RecordedHistory } from '../../../test/recorded-history.fixture.ts';
import { asManager, type OperationRequirements } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { isKeyed, requirementsOf } from '../../listeners/management.ts';
import { publicOperations } from '../../listeners/sandbox-api.ts';
import { type AccessChangeInput, toAccessChange } from './access-change.ts';
import { newTotals, type Position } from './access-forecast.ts';
import { runForecast } from './run-forecast.ts';

let sandbox: Sandbox;
let history: RecordedHistory;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  history = await makeHistory(sandbox, drawOf('parts'), 300);
});
afterAll(() => sandbox.close());

const operations: ReadonlyMap<string, OperationRequirements> = new Map(
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
const runPart = (
  input: AccessChangeInput,
  position: Position,
  runForMs: number,
  options = { appId: history.app.id, operations },
): Promise<number> =>
  asManager(
    sandbox.plane,
    { organisation_id: sandbox.organisationId, app_id: fromId('app', options.appId) ?? '' },
    (tenant) =>
      runForecast(
        { tenant, environment: 'sandbox', operations: options.operations, change: toAccessChange(input) },
        position,
        runForMs,
      ),
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

/** Operations that record, at each turn of the event loop, how often one of them was looked up. */
class RecordedLookups extends Map<string, OperationRequirements> {
  lookups = 0;
  readonly turns: number[] = [];
  #isWaiting = false;

  override get(id: string): OperationRequirements | undefined {
    this.lookups++;
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      setImmediate(() => {
        this.#isWaiting = false;
        this.turns.push(this.lookups);
      });
    }
    return super.get(id);
  }
}

test('a forecast serves other requests after every 500 groups', async () => {
  const groups = 1_600;
  const app = await sandbox.newApp();
  const { id: keyId } = await app.key();
  await sandbox.database.superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, operation_id, method, path,
       key_id, server_id, client_address, response_bytes)
     select $1, overlay(uuid_floor(at)::text placing '7000-8000' from 15)::uuid, at, 900, 100, 200, 'getServer', 'GET',
       '/v1/servers', $2, $3, '10.0.' || i / 250 || '.' || i % 250, 12
     from generate_series(1, $4::int) i,
       -- In one hour, so that one statement reads all of them.
       lateral (select date_trunc('hour', now()) - interval '30 minutes' + i * interval '1 millisecond' as at) t`,
    [fromId('app', app.id), fromId('key', keyId), fromId('srv', app.serverIds[0] ?? ''), groups],
  );
  const recorded = new RecordedLookups(operations);
  const position = begin();
  const change: AccessChangeInput = { key: { keyId, allowedCidrs: ['192.0.2.0/24'] } };
  expect(await runPart(change, position, 60_000, { appId: app.id, operations: recorded })).toBe(1);
  expect(position.totals.refused).toBe(groups);
  // Each group is looked up once before it is judged and once when it is judged.
  expect(recorded.lookups).toBe(2 * groups);
  const whileJudging = recorded.turns.filter((lookups) => lookups > groups && lookups < 2 * groups);
  expect(whileJudging).toEqual([groups + 500, groups + 1_000, groups + 1_500]);
});
