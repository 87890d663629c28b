// Runs of workflows: their inputs, their steps, and the exactly-once write of each event.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { advanceDueRuns } from './index.ts';

interface Workflow {
  id: string;
  name: string;
  enabled: boolean;
}
interface Run {
  id: string;
  status: string;
  output: unknown;
  steps: { status: string }[];
  code?: string;
  errors?: { pointer: string }[];
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
let workflows: Map<string, Workflow>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
  const list = await sandbox.call<{ data: Workflow[] }>(`/v1/servers/${app.serverIds[0]}/workflows`, token);
  workflows = new Map(list.body.data.map((workflow) => [workflow.name, workflow]));
});

/** Rethrows the error, so that an unexpected failure of a run fails the test. */
const failed = (error: unknown): void => {
  throw error;
};

const begin = (name: string, input: unknown, headers: Record<string, string> = {}): Promise<Answer<Run>> => {
  const init = json({ input });
  const id = workflows.get(name)?.id;
  return sandbox.call(`/v1/workflows/${id}/runs`, token, { ...init, headers: { ...init.headers, ...headers } });
};
const read = (id: string): Promise<Answer<Run>> => sandbox.call(`/v1/workflow-runs/${id}`, token);
const rowCount = async (table: string): Promise<number> => {
  const text = `select count(*)::int as n from ${table} where app_id = $1`;
  return (await sandbox.database.superuser.query(text, [fromId('app', app.id)])).rows[0].n;
};
/** Makes the next step due, and runs the job in `workers` workers concurrently. */
async function step(run: string, workers = 1): Promise<Run> {
  await sandbox.database.superuser.query(
    'update workflow_runs set due_at = clock_timestamp() where workflow_run_id = $1 and due_at is not null',
    [fromId('wfr', run)],
  );
  await Promise.all(Array.from({ length: workers }, () => advanceDueRuns(sandbox.worker, sandbox.plane, failed)));
  return (await read(run)).body;
}
async function events(): Promise<{ type: string; sequence: number; data: Run }[]> {
  const { rows } = await sandbox.database.superuser.query(
    "select body from events where app_id = $1 and subject_type = 'workflow_run' order by event_id",
    [fromId('app', app.id)],
  );
  return rows.map((row) => JSON.parse(row.body));
}

describe('the run of a workflow', () => {
  test('is queued, advances through its steps and succeeds, with an event for its start and its end', async () => {
    const begun = await begin('Announce an event', { title: 'Walk', channel: 'events', seats: 12 });
    expect([begun.status, begun.body.status]).toEqual([202, 'queued']);
    expect(begun.headers.get('location')).toBe(`http://sandbox.test/v1/workflow-runs/${begun.body.id}`);
    const states: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const run = await step(begun.body.id);
      states.push(`${run.status}: ${run.steps.map((one) => one.status).join(' ')}`);
    }
    expect(states).toEqual([
      'running: running waiting waiting',
      'running: succeeded running waiting',
      'running: succeeded succeeded running',
      'succeeded: succeeded succeeded succeeded',
    ]);
    const runEvents = await events();
    expect(runEvents.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['workflow_run.started', 1],
      ['workflow_run.succeeded', 2],
    ]);
    expect(runEvents[1]?.data).toEqual((await step(begun.body.id)) satisfies Run);
  });

  test('fails at the named step for the workflow that simulates a failure', async () => {
    const { body } = await begin('Rehearse a failure', {});
    for (let turn = 0; turn < 3; turn++) await step(body.id);
    const run = (await read(body.id)).body;
    expect([run.status, run.output, run.steps.map((one) => one.status)]).toEqual([
      'failed',
      null,
      ['succeeded', 'failed', 'skipped'],
    ]);
    expect((await events()).map(({ type }) => type)).toEqual(['workflow_run.started', 'workflow_run.failed']);
  });

  test('advances one step at a time with concurrent workers', async () => {
    const { body } = await begin('Welcome a member', { memberName: 'Imke' });
    expect((await step(body.id, 5)).status).toBe('running');
    expect(await rowCount('events')).toBe(1);
  });

  test('reports an error if it cannot advance, and does not delay other runs', async () => {
    const broken = await begin('Welcome a member', { memberName: 'Imke' });
    const fine = await begin('Welcome a member', { memberName: 'Imke' });
    const query = (text: string, ...ids: unknown[]) => sandbox.database.superuser.query(text, ids);
    await query(
      "update workflow_runs set steps = '7', due_at = due_at - interval '1 hour' where workflow_run_id = $1",
      fromId('wfr', broken.body.id),
    );
    await query('update workflow_runs set due_at = now() where workflow_run_id = $1', fromId('wfr', fine.body.id));
    const failures: unknown[] = [];
    await advanceDueRuns(sandbox.worker, sandbox.plane, (error) => failures.push(error));
    expect(failures).toHaveLength(1);
    expect((await read(fine.body.id)).body.status).toBe('running');
    await query('delete from workflow_runs where workflow_run_id = $1', fromId('wfr', broken.body.id));
  });

  test('does not advance before it is due', async () => {
    const { body } = await begin('Welcome a member', { memberName: 'Imke' });
    await sandbox.database.superuser.query(
      "update workflow_runs set due_at = clock_timestamp() + interval '1 hour' where workflow_run_id = $1",
      [fromId('wfr', body.id)],
    );
    await advanceDueRuns(sandbox.worker, sandbox.plane, failed);
    expect((await read(body.id)).body.status).toBe('queued');
  });

  test('is created once for two requests with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await begin('Welcome a member', { memberName: 'Imke' }, headers);
    const second = await begin('Welcome a member', { memberName: 'Imke' }, headers);
    expect([second.body.id, second.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    expect(await rowCount('workflow_runs')).toBe(1);
  });
});

describe('the creation of a run is rejected and writes no row', () => {
  test.each([
    ['Welcome a member', {}, ['/input/memberName']],
    ['Welcome a member', { memberName: '' }, ['/input/memberName']],
    ['Welcome a member', { memberName: 'Imke', roles: ['a', 2] }, ['/input/roles/1']],
    ['Announce an event', { title: 'Walk', channel: 'c', seats: 0 }, ['/input/seats']],
    ['Announce an event', { title: 'Walk', channel: 'c', other: 1 }, ['/input/other']],
  ])('for an input of %s that does not match the schema: %j', async (name, input, pointers) => {
    const { status, body } = await begin(name, input);
    expect([status, body.code]).toEqual([422, 'workflow_input_invalid']);
    expect(body.errors?.map((error) => error.pointer)).toEqual(pointers);
    expect(await rowCount('workflow_runs')).toBe(0);
  });

  test.each([[[]], ['text'], [null], [7]])('for an input that is not an object: %j', async (input) => {
    expect((await begin('Welcome a member', input)).body).toMatchObject({ code: 'invalid_request' });
  });

  test('for a disabled workflow, and for a server that has paused or revoked the scope', async () => {
    expect((await begin('Close the season', { year: 2026 })).body.code).toBe('conflict');
    for (const [state, code] of [
      ['paused', 'installation_paused'],
      ['revoked', 'installation_revoked'],
    ]) {
      const path = `/apps/${app.id}/servers/${app.serverIds[0]}/installation/scopes/workflows:run`;
      await sandbox.manage('PUT', path, { state });
      expect((await begin('Welcome a member', { memberName: 'Imke' })).body.code).toBe(code);
    }
    expect(await rowCount('workflow_runs')).toBe(0);
  });
});
