// A world lives turn by turn on its clock: each turn once, however many workers, and what it changes is told exactly once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../src/features/events/index.ts';
import { liveDueWorlds } from '../src/features/world/index.ts';
import { fromId } from '../src/kit/ids.ts';
import { schemaErrors, type TSchema } from '../src/kit/schema.ts';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { componentsOf, eventData } from './event-data.ts';
import { until } from './harness.ts';

interface Told {
  id: string;
  type: string;
  subject: { type: string; id: string };
  sequence: number;
  data: Record<string, unknown>;
  code?: string;
}
interface World {
  counts: { publications: number; roadmapItems: number };
  clock: { speed: string; speedUntil: string | null; elapsedSeconds: number; nextTurnAt: string | null };
}

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  // No other test's world is due meanwhile.
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
  Promise.all(Array.from({ length: count }, () => liveDueWorlds(sandbox.worker, sandbox.plane, onError)));
/** Turns of the app's world, one after another. */
async function live(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await dueNow();
    await workers(1);
  }
}
const events = async (): Promise<Told[]> =>
  (await query<{ body: string }>('select body from events where app_id = $1 order by event_id')).map((row) =>
    JSON.parse(row.body),
  );
const clock = (speed: string): Promise<Answer<World>> =>
  sandbox.manage('PUT', `/apps/${app.id}/world/clock`, { speed });
const world = async (): Promise<World> => (await sandbox.manage<World>('GET', `/apps/${app.id}/world`)).body;
const trigger = (type: string, objectId?: string): Promise<Answer<Told>> =>
  sandbox.manage('POST', `/apps/${app.id}/world/events`, { type, ...(objectId !== undefined && { objectId }) });
const reset = (body: object): Promise<Answer> => sandbox.manage('POST', `/apps/${app.id}/world/reset`, body);

/** That no subject's sequence has a gap or a repetition. */
function expectContiguous(told: readonly Told[]): void {
  const bySubject = new Map<string, number[]>();
  for (const { subject, sequence } of told) {
    bySubject.set(subject.id, [...(bySubject.get(subject.id) ?? []), sequence]);
  }
  for (const [subject, sequences] of bySubject) {
    expect([subject, sequences]).toEqual([subject, sequences.map((_, index) => index + 1)]);
  }
}

describe('a turn', () => {
  test('is taken once, however many workers there are, and told of once', async () => {
    for (let turn = 1; turn <= 8; turn++) {
      await dueNow();
      await workers(5);
      const [row] = await query<{ turn: string }>('select turn from worlds where app_id = $1');
      expect(Number(row?.turn)).toBe(turn);
      expect(await events()).toHaveLength(turn);
    }
  });

  test('is told of once and in the subject’s order also while people and the API change the same world', async () => {
    await clock('3600x');
    await query("update worlds set due_at = clock_timestamp() - interval '1 second' where app_id = $1");
    const { token } = await app.key();
    let isOver = false;
    const worker = async (): Promise<void> => {
      while (!isOver) await liveDueWorlds(sandbox.worker, sandbox.plane, failed);
    };
    const all = Promise.all([worker(), worker(), worker()]);
    for (let round = 0; round < 8; round++) {
      for (const type of ['ping', 'ticket.updated', 'publication.updated', 'roadmap.item_moved', 'server.updated']) {
        expect([type, (await trigger(type)).status]).toEqual([type, 201]);
      }
      const path = `/v1/servers/${app.serverIds[0]}/tickets`;
      expect((await sandbox.call(path, token, json({ subject: 's', body: 'b' }))).status).toBe(201);
    }
    await until(async () => (await world()).clock.elapsedSeconds >= 40 * 600);
    isOver = true;
    await all;
    const told = await events();
    expect(told).toHaveLength(8 * 6 + (await world()).clock.elapsedSeconds / 600);
    expectContiguous(told);
  });

  test('after turn tickets are dealt with, publications appear and go, the roadmap moves, and all of it is told', async () => {
    await live(120);
    const told = await events();
    expect(told).toHaveLength(120);
    expectContiguous(told);
    expect([...new Set(told.map((event) => event.type))].sort()).toEqual([
      'publication.archived',
      'publication.published',
      'publication.updated',
      'roadmap.item_created',
      'roadmap.item_moved',
      'server.updated',
      'ticket.closed',
      'ticket.updated',
    ]);
    const components = componentsOf();
    for (const { type, data } of told) {
      expect([type, schemaErrors(eventData(components, type) as TSchema, data)]).toEqual([type, []]);
    }
  });

  test('tells of the resource as it is then', async () => {
    const { token } = await app.key();
    await live(40);
    const told = await events();
    const last = told.findLast((event) => event.type === 'publication.published');
    const later = told.filter(
      (event) => event.subject.id === last?.subject.id && event.sequence > (last?.sequence ?? 0),
    );
    const shown = await sandbox.call(`/v1/publications/${last?.subject.id}`, token);
    expect([shown.status, later]).toEqual([200, []]);
    expect(shown.body).toEqual(last?.data);
  });

  test('follows from the seed and its number: two worlds of one seed live alike', async () => {
    const lives: string[][] = [];
    for (const epoch of [0, 0, 1]) {
      await reset({ epoch });
      await query('delete from events where app_id = $1');
      await live(25);
      lives.push((await events()).map(({ type, subject }) => `${type} ${type.endsWith('d') ? '' : subject.id}`));
    }
    expect(lives[1]).toEqual(lives[0]);
    expect(lives[2]).not.toEqual(lives[0]);
  });

  test('that cannot be taken is told of, set aside, and holds up no other world', async () => {
    const broken = fromId('app', app.id);
    app = await sandbox.newApp();
    await app.key();
    const { superuser } = sandbox.database;
    await superuser.query("update worlds set due_at = clock_timestamp() - interval '1 hour' where app_id = $1", [
      broken,
    ]);
    await dueNow();
    await superuser.query(`create function refuse_turn() returns trigger language plpgsql as $$
      begin if new.app_id = '${broken}' then raise exception 'broken'; end if; return new; end $$`);
    await superuser.query(
      'create trigger refuse_turn before insert on events for each row execute function refuse_turn()',
    );
    const told: unknown[] = [];
    await workers(1, (error) => told.push(error));
    await superuser.query('drop function refuse_turn cascade');
    expect([told.length, (await events()).length]).toEqual([1, 1]);
    const { rows } = await superuser.query(
      'select turn, due_at > clock_timestamp() as later from worlds where app_id = $1',
      [broken],
    );
    expect(rows).toEqual([{ turn: '0', later: true }]);
  });

  test('is not taken in an app without a valid key, in a suspended app, or in an empty world', async () => {
    await query("update keys set state = 'revoked', revoked_at = now() where app_id = $1");
    await live(3);
    expect([await events(), (await world()).clock.elapsedSeconds]).toEqual([[], 0]);
    await app.key();
    await query("update apps set state = 'suspended' where app_id = $1");
    await live(2);
    expect(await events()).toEqual([]);
    await query("update apps set state = 'active' where app_id = $1");
    await reset({ preset: 'empty' });
    await workers(1);
    expect([await events(), (await world()).clock.nextTurnAt]).toEqual([[], null]);
  });

  test('never fills a server beyond its bounds, however long it lives', async () => {
    await query(`insert into publications select app_id, gen_random_uuid(), server_id, channel, title, body_markdown, 'published',
      author, tags, now(), now() from publications p cross join generate_series(1, 16) where app_id = $1`);
    await query(`insert into roadmap_items select app_id, gen_random_uuid(), server_id, title, description, status, category,
      position, vote_count, target_quarter, created_at from roadmap_items cross join generate_series(1, 10) where app_id = $1`);
    const before = (await world()).counts;
    await live(60);
    expect((await world()).counts).toMatchObject({
      publications: before.publications,
      roadmapItems: before.roadmapItems,
    });
    expect(await events()).toHaveLength(60);
  });
});

describe('the clock', () => {
  const due = async (): Promise<number> => {
    const [row] = await query<{ at: Date }>('select due_at as at from worlds where app_id = $1');
    return row?.at.getTime() ?? Number.NaN;
  };
  /** That the next turn is so much later than whatever `change` does, by the clock that the database shares with us. */
  async function expectDueAfter(ms: number, change: () => Promise<unknown>): Promise<void> {
    const before = Date.now();
    await change();
    const after = Date.now();
    expect(await due()).toBeGreaterThanOrEqual(before + ms - 1);
    expect(await due()).toBeLessThanOrEqual(after + ms + 1);
  }

  test.each([
    ['1x', 600_000],
    ['10x', 60_000],
    ['60x', 10_000],
    ['3600x', 600_000 / 3_600],
  ])('at %s has a small world’s next turn %i ms ahead', async (speed, ms) => {
    await expectDueAfter(ms, async () => {
      const answer = await clock(speed);
      expect([answer.status, answer.body.clock.speed]).toEqual([200, speed]);
      expect(answer.body.clock.speedUntil === null).toBe(speed === '1x');
    });
  });

  test('paused stands still until it is set again', async () => {
    await clock('paused');
    await workers(2);
    expect([await events(), (await world()).clock]).toEqual([
      [],
      { speed: 'paused', speedUntil: null, elapsedSeconds: 0, nextTurnAt: null },
    ]);
    expect((await clock('1x')).body.clock.nextTurnAt).not.toBeNull();
  });

  test('counts simulated time, which a reset begins anew while its speed stays', async () => {
    await clock('60x');
    await live(3);
    expect((await world()).clock).toMatchObject({ speed: '60x', elapsedSeconds: 1_800 });
    await expectDueAfter(10_000, () => reset({}));
    expect((await world()).clock).toMatchObject({ speed: '60x', elapsedSeconds: 0 });
  });

  test('falls back to its own pace when it has been fast for its time', async () => {
    await clock('3600x');
    await query("update worlds set speed_until = clock_timestamp() - interval '1 second' where app_id = $1");
    await expectDueAfter(600_000, () => live(1));
    expect((await world()).clock).toMatchObject({ speed: '1x', speedUntil: null });
  });

  test('does not make up for what it was behind: a few turns are taken, not a day’s', async () => {
    await clock('60x');
    await query("update worlds set due_at = clock_timestamp() - interval '1 day' where app_id = $1");
    const before = Date.now();
    await workers(1);
    expect((await events()).length).toBeLessThanOrEqual(4);
    expect(await due()).toBeGreaterThanOrEqual(before - 1_000);
  });

  test('to another speed is refused', async () => {
    expect((await clock('2x')).status).toBe(400);
  });
});

describe('a trigger', () => {
  test.each(
    EVENT_TYPES,
  )('of %s brings it about on an object of a small world, and answers with the event', async (type) => {
    if (type === 'installation.resumed') await trigger('installation.paused');
    const answer = await trigger(type);
    expect([answer.status, answer.body.type]).toEqual([201, type]);
    const told = await events();
    expect(told.at(-1)).toEqual(answer.body);
    expectContiguous(told);
    const components = componentsOf();
    expect(schemaErrors(eventData(components, type) as TSchema, answer.body.data)).toEqual([]);
    const audited = await query("select detail from audit_entries where app_id = $1 and action = 'event.trigger'");
    expect(audited.at(-1)).toEqual({ detail: { type } });
  });

  test('happens on the object that it names', async () => {
    const named = app.serverIds[3];
    expect((await trigger('server.updated', named)).body.subject.id).toBe(named);
    expect((await trigger('ticket.created', named)).body.data.serverId).toBe(named);
    const { token } = await app.key();
    const list = await sandbox.call<{ data: { id: string; status: string }[] }>(
      `/v1/servers/${named}/publications`,
      token,
    );
    const published = list.body.data.find((one) => one.status === 'published')?.id;
    expect((await trigger('publication.archived', published)).body.subject.id).toBe(published);
    expect((await sandbox.call(`/v1/publications/${published}`, token)).body.status).toBe('archived');
    const again = await trigger('publication.archived', published);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('of a pause pauses: the app is told, and what else waits for the server is held', async () => {
    const { id: keyId, token } = await app.key();
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId, eventTypes: ['installation.paused', 'ticket.created'] };
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint);
    await trigger('ticket.created', app.serverIds[2]);
    await trigger('installation.paused', app.serverIds[2]);
    const deliveries = await query(
      'select e.type, d.status from deliveries d join events e using (app_id, event_id) where app_id = $1 order by 1',
    );
    expect(deliveries).toEqual([
      { type: 'installation.paused', status: 'pending' },
      { type: 'ticket.created', status: 'held' },
    ]);
    const read = await sandbox.call(`/v1/servers/${app.serverIds[2]}`, token);
    expect(read.body.code).toBe('installation_paused');
  });

  test.each([
    ['ping', 'pub_01j9z3v8k6e5t8m2n4p6q8r0s5', 400],
    ['publication.updated', 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', 400],
    ['ping', 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', 409],
    ['ticket.closed', 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4', 409],
    ['installation.resumed', undefined, 409],
    ['no.such', undefined, 400],
  ])('of %s on %s is refused and changes nothing', async (type, objectId, status) => {
    expect((await trigger(type, objectId)).status).toBe(status);
    expect(await events()).toEqual([]);
  });

  test('in an empty world has nothing to happen on', async () => {
    await reset({ preset: 'empty' });
    for (const type of EVENT_TYPES) expect([type, (await trigger(type)).status]).toEqual([type, 409]);
    expect(sandbox.errors).toEqual([]);
  });
});
