// Random sequences of statements, caps and restrictions. Each step is compared with a model that is independent of the
// server.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useInstalledApp } from '../../../test/installed-app.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { breakTrigger, WRONG_TRIGGERS } from '../../../test/wrong-triggers.ts';
import type { Scope } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import {
  applyStep,
  changesBetween,
  inForce,
  type Model,
  type ModelState,
  type ModelStep,
  newModel,
  type Outcome,
  strictest,
  WHOLE_SERVER,
} from './restrictions-model.fixture.ts';

const { app, newApp, state, restrict, orderCap, manage, query } = useInstalledApp();

const SERVERS = 3;
const CELLS: readonly Scope[] = ['events:read', 'tickets:create'];

const anyState = fc.constantFrom<ModelState>('authorised', 'authorised', 'paused', 'revoked');
/** Prefers the first server, so that several changes of one server follow each other. */
const anyServer = fc.constantFrom(0, 0, 0, 1, 1, 2);
const anyCell = fc.constantFrom(WHOLE_SERVER, WHOLE_SERVER, ...CELLS);
/**
 * A step without an absolute version. The model adds `ahead` to the last version, and a value of at most 0 is an
 * outdated version.
 */
type GeneratedStep =
  | Exclude<ModelStep, { kind: 'state' }>
  | (Omit<ModelStep & { kind: 'state' }, 'version'> & { ahead: number });
const anyStep: fc.Arbitrary<GeneratedStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      server: anyServer,
      state: anyState,
      scopes: fc.record({ 'events:read': anyState, 'tickets:create': anyState }),
      ahead: fc.constantFrom(1, 1, 1, 3, 0, -1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cap' as const), cap: fc.constantFrom(null, 1, 2) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('restrict' as const), server: anyServer, cell: anyCell, state: anyState }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bulk' as const),
      cells: fc.constantFrom([WHOLE_SERVER], [...CELLS]),
      state: anyState,
      includeRevoked: fc.boolean(),
    }),
  },
);

function asStep(model: Model, drawn: GeneratedStep): ModelStep {
  if (drawn.kind !== 'state') return drawn;
  const { ahead, ...rest } = drawn;
  return { ...rest, version: Math.max(1, (model.servers[drawn.server]?.version ?? 0) + ahead) };
}

const scopeOf = (cell: string): Scope | undefined => (cell === WHOLE_SERVER ? undefined : (cell as Scope)); // one of CELLS

/** Applies the step to the server. */
async function send(servers: readonly string[], step: ModelStep): Promise<Outcome> {
  switch (step.kind) {
    case 'cap':
      await orderCap(step.cap);
      return 'done';
    case 'state': {
      const { server, ...statement } = step;
      const { body } = await state(servers[server] ?? '', statement.state, statement.scopes, statement.version);
      return body.isNews ? 'done' : 'old';
    }
    case 'restrict': {
      const { status } = await restrict(servers[step.server] ?? '', step.state, scopeOf(step.cell));
      return status === 200 ? 'done' : status === 404 ? 'missing' : 'refused';
    }
    default: {
      const scopes = step.cells.includes(WHOLE_SERVER) ? undefined : step.cells;
      const change = { state: step.state, includeRevoked: step.includeRevoked, ...(scopes && { scopes }) };
      const { status } = await manage('POST', '/installation-changes', change);
      return status === 200 ? 'done' : 'refused';
    }
  }
}

interface StoredGrant {
  server_id: string;
  cell: string;
  id: string;
  state: ModelState;
  epoch: number | null;
}

/** Returns the latest installation on each server, and the latest grant of each scope in it. */
const findGrants = (): Promise<StoredGrant[]> =>
  query(
    `with latest as (
       select distinct on (server_id) server_id, installation_id, state from installations
       where app_id = $1 order by server_id, installation_id desc)
     select server_id, '*' as cell, installation_id as id, state, null::int as epoch from latest
     union all
     (select distinct on (server_id, scope) server_id, scope, grant_id, g.state, since_epoch::int
      from latest join installation_scopes g using (installation_id)
      where app_id = $1 and scope = any ($2) order by server_id, scope, grant_id desc)`,
    [app().uuid, CELLS],
  );

const findHistory = async (
  from: number,
): Promise<{ server_id: string; cells: string[]; from: ModelState | null; to: ModelState }[]> =>
  query(
    `select server_id, coalesce(scopes, '{*}') as cells, from_state as from, to_state as to
     from installation_changes where app_id = $1 order by change_id offset $2`,
    [app().uuid, from],
  );

/** Applies the steps to the server and to the model, and throws at the first difference. */
async function compare(drawn: readonly GeneratedStep[]): Promise<void> {
  await newApp();
  const model = newModel(SERVERS, CELLS);
  const servers = Array.from({ length: SERVERS }, () => toId('srv', newUuid()));
  const uuids = servers.map(uuidOf);
  /** Maps each grant of the model to the server's grant and its first epoch. */
  const known = new Map<number, StoredGrant>();
  let recorded = 0;
  for (const one of drawn) {
    const step = asStep(model, one);
    const before = structuredClone(model);
    const expected = applyStep(model, step);
    expect({ step, outcome: await send(servers, step) }).toEqual({ step, outcome: expected });
    const found = await findGrants();
    for (const [at, server] of model.servers.entries()) {
      for (const cell of [WHOLE_SERVER, ...CELLS]) {
        const grant = found.find((is) => is.server_id === uuids[at] && is.cell === cell);
        expect({ step, at, cell, state: grant?.state }).toEqual({ step, at, cell, state: inForce(server, cell) });
        if (!grant) continue;
        compareIdentity(server, before.servers[at], cell, grant);
        // The effective state never grants more than the upstream API states, independently of the model.
        const upstream = cell === WHOLE_SERVER ? server.stated?.state : server.stated?.scopes[cell];
        const isInForce = inForce(server, WHOLE_SERVER) !== 'revoked' && grant.state !== 'revoked';
        if (isInForce) expect(strictest(upstream ?? 'revoked', grant.state)).toBe(grant.state);
      }
    }
    const history = await findHistory(recorded);
    recorded += history.length;
    const recordedChanges = history.flatMap(({ server_id, cells, from, to }) =>
      cells
        .filter((cell) => cell === WHOLE_SERVER || CELLS.some((scope) => scope === cell))
        .map((cell) => ({ server: uuids.indexOf(server_id), cell, from, to })),
    );
    const sorted = (changes: readonly object[]): string[] => changes.map((change) => JSON.stringify(change)).sort();
    expect({ step, history: sorted(recordedChanges) }).toEqual({
      step,
      history: sorted(changesBetween(before, model)),
    });
  }

  /**
   * Checks that the server has a new grant exactly if the model has one, with a later epoch if the earlier grant was
   * revoked.
   */
  function compareIdentity(
    { installation }: Model['servers'][number],
    before: Model['servers'][number] | undefined,
    cell: string,
    grant: StoredGrant,
  ): void {
    const is = cell === WHOLE_SERVER ? installation : installation?.scopes.get(cell);
    if (!is) return;
    const same = known.get(is.id);
    if (same) expect([grant.id, grant.epoch]).toEqual([same.id, same.epoch]);
    else {
      expect([...known.values()].map(({ id }) => id)).not.toContain(grant.id);
      const was = cell === WHOLE_SERVER ? undefined : before?.installation?.scopes.get(cell);
      const earlier = was && known.get(was.id);
      if (earlier) expect(grant.epoch).toBeGreaterThan(earlier.epoch ?? 0);
      known.set(is.id, grant);
    }
  }
}

const STEPS = { minLength: 20, maxLength: 30 };
const RUNS = { seed: 59, numRuns: 25, endOnFailure: true };

describe('installations in production', () => {
  test('match the states, the grants and the history of the model after any sequence of statements, caps and restrictions', async () => {
    const property = fc.asyncProperty(fc.array(anyStep, STEPS), compare);
    await fc.assert(property, RUNS);
  }, 300_000);

  test.each(Object.keys(WRONG_TRIGGERS))('differ from the model if a trigger %s', async (wrong) => {
    const restore = await breakTrigger(query, wrong);
    try {
      const property = fc.asyncProperty(fc.array(anyStep, STEPS), compare);
      const { failed } = await fc.check(property, RUNS);
      expect(failed).toBe(true);
    } finally {
      await restore();
    }
  }, 300_000);
});
