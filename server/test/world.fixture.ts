// An app's world in a sandbox, for tests of its ticks.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { runDueWorlds } from '../src/sandbox/world/index.ts';
import { type Answer, type Sandbox, startSandbox, type TestApp } from './app.ts';

export interface WorldEvent {
  id: string;
  type: string;
  schemaVersion: number;
  subject: { type: string; id: string };
  sequence: number;
  data: Record<string, unknown>;
  code?: string;
}
export interface WorldBody {
  counts: { publications: number; roadmapItems: number };
  clock: { speed: string; speedUntil: string | null; elapsedSeconds: number; nextTickAt: string | null };
}

/**
 * Prepares one sandbox for the whole file, and before each test another app with a key. Only the world of this app is
 * due.
 */
export function useWorld() {
  let sandbox: Sandbox;
  let app: TestApp;
  beforeAll(async () => {
    sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  });
  afterAll(() => sandbox.close());
  beforeEach(async () => {
    // No world of an earlier test is due meanwhile.
    await sandbox.database.superuser.query('update worlds set due_at = null');
    app = await sandbox.newApp();
    await app.key();
  });

  const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await sandbox.database.superuser.query(text, [fromId('app', app.id), ...values])).rows;
  const dueNow = (): Promise<unknown> => query('update worlds set due_at = clock_timestamp() where app_id = $1');
  const failed = (error: unknown): void => {
    throw error;
  };
  const workers = (count: number, onError = failed): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => runDueWorlds(sandbox.worker, sandbox.plane, onError)));
  /** Runs ticks of the app's world, one after another. */
  async function live(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      await dueNow();
      await workers(1);
    }
  }
  const events = async (): Promise<WorldEvent[]> =>
    (await query<{ body: string }>('select body from events where app_id = $1 order by event_id')).map((row) =>
      JSON.parse(row.body),
    );
  const clock = (speed: string): Promise<Answer<WorldBody>> =>
    sandbox.manage('PUT', `/apps/${app.id}/world/clock`, { speed });
  const world = async (): Promise<WorldBody> => (await sandbox.manage<WorldBody>('GET', `/apps/${app.id}/world`)).body;
  const trigger = (type: string, objectId?: string): Promise<Answer<WorldEvent>> =>
    sandbox.manage('POST', `/apps/${app.id}/world/events`, { type, ...(objectId !== undefined && { objectId }) });
  const reset = (body: object): Promise<Answer> => sandbox.manage('POST', `/apps/${app.id}/world/reset`, body);
  return {
    sandbox: () => sandbox,
    app: () => app,
    /** Creates another app, which the other functions use from here on. */
    async newApp() {
      app = await sandbox.newApp();
      await app.key();
    },
    query,
    dueNow,
    failed,
    workers,
    live,
    events,
    clock,
    world,
    trigger,
    reset,
  };
}

/** Expects that no subject's sequence has a gap or a repetition. */
export function expectContiguous(worldEvents: readonly WorldEvent[]): void {
  const bySubject = new Map<string, number[]>();
  for (const { subject, sequence } of worldEvents) {
    bySubject.set(subject.id, [...(bySubject.get(subject.id) ?? []), sequence]);
  }
  for (const [subject, sequences] of bySubject) {
    expect([subject, sequences]).toEqual([subject, sequences.map((_, index) => index + 1)]);
  }
}
