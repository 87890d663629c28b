// A reset replaces an app's whole world: what it keeps, what it ends, and what concurrent readers see.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { fromId } from '../../kit/crypto/ids.ts';

interface World {
  preset: string;
  seed: string;
  epoch: number;
  counts: Record<string, number>;
  clock: { speed: string; elapsedSeconds: number; nextTickAt: string | null; speedUntil: string | null };
  code?: string;
}
interface List {
  data: { id: string }[];
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
});

const reset = (body: object = {}): Promise<Answer<World>> =>
  sandbox.manage('POST', `/apps/${app.id}/world/reset`, body);
const world = (): Promise<Answer<World>> => sandbox.manage('GET', `/apps/${app.id}/world`);
const servers = async (): Promise<string[]> =>
  (await sandbox.call<List>('/v1/servers?limit=100', token)).body.data.map((server) => server.id);
const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, [fromId('app', app.id), ...values])).rows;

/** Returns every row of the app's world, without counters and without columns that a reset keeps. */
async function content(): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const table of ['servers', 'publications', 'roadmap_items', 'workflows', 'tickets', 'ticket_numbers']) {
    const text = `select to_jsonb(t) - 'event_sequence' as row from ${table} t where app_id = $1 order by to_jsonb(t)`;
    rows.push(...(await query(text)));
  }
  return rows;
}

describe('the reset of a world', () => {
  test('a reset without changes makes the same world with the same identifiers, and keeps grants', async () => {
    const before = await content();
    await sandbox.manage('PUT', `/apps/${app.id}/servers/${app.serverIds[0]}/installation`, { state: 'paused' });
    const grants = 'select installation_id, server_id, state from installations where app_id = $1 order by 1';
    const granted = await query(grants);
    await sandbox.call(`/v1/servers/${app.serverIds[1]}/tickets`, token, json({ subject: 's', body: 'b' }));
    expect(await content()).not.toEqual(before);
    const answer = await reset();
    expect([answer.status, answer.body.preset, answer.body.seed]).toEqual([200, 'small', 'slipway']);
    expect(answer.body.counts).toEqual({
      servers: 5,
      publications: 60,
      roadmapItems: 30,
      tickets: 15,
      workflows: 20,
      workflowRuns: 0,
    });
    expect(await content()).toEqual(before);
    expect(await query(grants)).toEqual(granted);
    expect(await servers()).toEqual(app.serverIds.slice(1)); // one server is paused
  });

  test('a reset to another world and back restores the first one with new grants, and keys stay valid', async () => {
    const before = await content();
    expect((await reset({ preset: 'unicode', seed: 'ci', epoch: 2 })).body).toMatchObject({
      preset: 'unicode',
      seed: 'ci',
      epoch: 2,
      counts: { servers: 10, publications: 200 },
    });
    const others = await servers();
    expect(others).toHaveLength(10);
    expect(others.filter((id) => app.serverIds.includes(id))).toEqual([]);
    expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}`, token)).body.code).toBe('not_found');
    expect((await reset({ preset: 'empty' })).body.clock.nextTickAt).toBeNull();
    expect([await servers(), await query('select 1 from installations where app_id = $1')]).toEqual([[], []]);
    await reset({ preset: 'small', seed: 'slipway', epoch: 0 });
    expect([await content(), await servers()]).toEqual([before, app.serverIds]);
  });

  test('a reset to another preset with the same seed keeps the common servers and their grants', async () => {
    await sandbox.manage('PUT', `/apps/${app.id}/servers/${app.serverIds[0]}/installation`, { state: 'paused' });
    await reset({ preset: 'unicode' });
    expect((await servers()).slice(-4)).toEqual(app.serverIds.slice(1));
    const scripts = await query<{ locale: string }>('select locale from servers where app_id = $1');
    expect(scripts.filter(({ locale }) => locale.startsWith('en'))).toEqual([]);
    await reset({ preset: 'small' });
    expect(await servers()).toEqual(app.serverIds.slice(1));
  });

  test('a reset keeps request records and events, and continues the sequence numbers of subjects', async () => {
    const trigger = async (): Promise<{ subject: { id: string }; sequence: number }> =>
      (
        await sandbox.manage<{ subject: { id: string }; sequence: number }>('POST', `/apps/${app.id}/world/events`, {
          type: 'ping',
          objectId: app.serverIds[0],
        })
      ).body;
    const first = await trigger();
    await reset({ seed: 'another' });
    await reset({ seed: 'slipway' });
    const second = await trigger();
    expect([first.sequence, second.sequence, second.subject.id]).toEqual([1, 2, first.subject.id]);
    expect(await query("select sequence from events where app_id = $1 and type = 'ping'")).toHaveLength(2);
    const records = await sandbox.manage<List>('GET', `/apps/${app.id}/requests`);
    await servers();
    await reset({ preset: 'empty' });
    const after = await sandbox.manage<List>('GET', `/apps/${app.id}/requests`);
    expect(after.body.data.length).toBe(records.body.data.length + 1);
  });

  test('a reset cancels waiting deliveries and queued runs of a server that vanishes', async () => {
    const key = await app.key();
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, {
      url: 'http://127.0.0.1:1/hooks',
      keyId: key.id,
      eventTypes: ['ticket.created', 'ping'],
    });
    await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, json({ subject: 's', body: 'b' }));
    await sandbox.manage('POST', `/apps/${app.id}/world/events`, { type: 'ping' });
    await sandbox.manage('POST', `/apps/${app.id}/world/events`, { type: 'workflow_run.started' });
    await reset({ seed: 'another' });
    const deliveries = await query<object>(
      'select e.type, d.status, d.reason from deliveries d join events e using (app_id, event_id) where app_id = $1 order by 1',
    );
    // A ping belongs to no server, so the end of a server does not affect it.
    expect(deliveries).toEqual([
      { type: 'ping', status: 'pending', reason: null },
      { type: 'ticket.created', status: 'cancelled', reason: 'installation_revoked' },
    ]);
    expect(await query('select 1 from queue where app_id = $1')).toHaveLength(1);
    expect(await query('select 1 from workflow_runs where app_id = $1')).toHaveLength(0);
  });

  test('the audit entry of a reset names its actor and the new world', async () => {
    await reset({ preset: 'unicode', seed: 'another' });
    const [entry] = await query<{ actor: string; detail: object }>(
      "select actor, detail from audit_entries where app_id = $1 and action = 'world.reset'",
    );
    expect(entry).toEqual({
      actor: 'tester@example.org',
      detail: { preset: 'unicode', seed: 'another', epoch: 0, vanishedServers: 5 },
    });
  });

  test.each([
    [{ preset: 'huge' }, '/preset'],
    [{ seed: '' }, '/seed'],
    [{ seed: 'a/b' }, '/seed'],
    [{ epoch: -1 }, '/epoch'],
    [{ speed: 'x' }, '/speed'],
  ])('a reset to %j is refused and changes nothing', async (body, pointer) => {
    const before = await world();
    const answer = await sandbox.manage<{ errors: { pointer: string }[] }>('POST', `/apps/${app.id}/world/reset`, body);
    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer]);
    expect((await world()).body).toEqual(before.body);
  });
});

describe('access during a reset', () => {
  /** Runs `meanwhile` when a reset has written most of the new world and committed nothing. */
  async function inTheMiddle(meanwhile: () => Promise<void>): Promise<Answer<World>> {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('lock table ticket_numbers in share mode');
    const answer = reset({ preset: 'unicode', seed: 'another' });
    try {
      await untilLocksWaited(superuser, 1);
      await meanwhile();
    } finally {
      await superuser.query('rollback');
    }
    return answer;
  }

  test('another reset and other changes of the world get 409 without waiting, and other apps are not affected', async () => {
    const other = await sandbox.newApp();
    const answer = await inTheMiddle(async () => {
      const clock = await sandbox.manage<World>('PUT', `/apps/${app.id}/world/clock`, { speed: '60x' });
      const event = await sandbox.manage<World>('POST', `/apps/${app.id}/world/events`, { type: 'ping' });
      for (const { status } of [await reset({ preset: 'empty' }), clock, event]) expect(status).toBe(409);
      const elsewhere = await sandbox.manage<World>('GET', `/apps/${other.id}/world`);
      expect(elsewhere.body.counts.servers).toBe(5);
    });
    expect([answer.status, (await world()).body.preset]).toEqual([200, 'unicode']);
  });

  test('readers see the complete old world and then the complete new one', async () => {
    await inTheMiddle(async () => {
      expect(await servers()).toEqual(app.serverIds);
      const list = await sandbox.call<List>(`/v1/servers/${app.serverIds[0]}/publications?limit=100`, token);
      expect(list.body.data).toHaveLength(12);
    });
    expect(await servers()).toHaveLength(10);
    expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/publications`, token)).body.code).toBe('not_found');
  });

  test('continuous readers see one complete world or the other', async () => {
    const whole = new Map<string, string[]>([['small', app.serverIds]]);
    await reset({ preset: 'unicode', seed: 'another' });
    whole.set('another', await servers());
    const seen = new Set<string>();
    let isOver = false;
    const reader = async (): Promise<void> => {
      while (!isOver) {
        const ids = (await servers()).join();
        seen.add([...whole].find(([, all]) => all.join() === ids)?.[0] ?? ids);
      }
    };
    const readers = Promise.all([reader(), reader(), reader()]);
    const small = { preset: 'small', seed: 'slipway' };
    const another = { preset: 'unicode', seed: 'another' };
    for (const input of [small, another, small, another]) expect((await reset(input)).status).toBe(200);
    isOver = true;
    await readers;
    expect([...seen].sort()).toEqual(['another', 'small']);
  });

  test('a mutation that arrives during a reset runs on the new world', async () => {
    const { superuser } = sandbox.database;
    const ticket = json({ subject: 's', body: 'b' });
    let made: Promise<Answer> | undefined;
    await inTheMiddle(async () => {
      made = sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, ticket);
      await untilLocksWaited(superuser, 2);
    });
    expect((await made)?.body.code).toBe('not_found');
    expect(sandbox.errors).toEqual([]);
  });
});
