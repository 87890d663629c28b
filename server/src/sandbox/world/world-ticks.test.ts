// The ticks of a world: each runs once with any number of workers, and each change has exactly one event.
import { describe, expect, test } from 'vitest';
import { json } from '../../../test/app.ts';
import { eventErrors } from '../../../test/event-errors.ts';
import { until } from '../../../test/harness.ts';
import { expectContiguous, useWorld } from '../../../test/world.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { runDueWorlds } from './index.ts';

const { sandbox, app, newApp, query, dueNow, failed, workers, live, events, clock, world, trigger, reset } = useWorld();

describe('the ticks of a world', () => {
  test('a tick runs once and emits one event with several workers', async () => {
    for (let turn = 1; turn <= 8; turn++) {
      await dueNow();
      await workers(5);
      const [row] = await query<{ turn: string }>('select turn from worlds where app_id = $1');
      expect(Number(row?.turn)).toBe(turn);
      expect(await events()).toHaveLength(turn);
    }
  });

  test('ticks emit one event each, in the order of the subject, during changes by members and the API', async () => {
    await clock('3600x');
    await query("update worlds set due_at = clock_timestamp() - interval '1 second' where app_id = $1");
    const { token } = await app().key();
    let isOver = false;
    const worker = async (): Promise<void> => {
      while (!isOver) await runDueWorlds(sandbox().worker, sandbox().plane, failed);
    };
    const all = Promise.all([worker(), worker(), worker()]);
    for (let round = 0; round < 8; round++) {
      for (const type of ['ping', 'ticket.updated', 'publication.updated', 'roadmap.item_moved', 'server.updated']) {
        expect([type, (await trigger(type)).status]).toEqual([type, 201]);
      }
      const path = `/v1/servers/${app().serverIds[0]}/tickets`;
      expect((await sandbox().call(path, token, json({ subject: 's', body: 'b' }))).status).toBe(201);
    }
    await until(async () => (await world()).clock.elapsedSeconds >= 40 * 600);
    isOver = true;
    await all;
    const allEvents = await events();
    expect(allEvents).toHaveLength(8 * 6 + (await world()).clock.elapsedSeconds / 600);
    expectContiguous(allEvents);
  });

  test('many ticks change tickets, publications and the roadmap, each with its event', async () => {
    await live(120);
    const allEvents = await events();
    expect(allEvents).toHaveLength(120);
    expectContiguous(allEvents);
    expect([...new Set(allEvents.map((event) => event.type))].sort()).toEqual([
      'publication.archived',
      'publication.published',
      'publication.updated',
      'roadmap.item_created',
      'roadmap.item_moved',
      'server.updated',
      'ticket.closed',
      'ticket.updated',
    ]);
    for (const event of allEvents) expect([event.type, eventErrors(event)]).toEqual([event.type, []]);
  });

  test('the event of a tick has the resource’s state after the change', async () => {
    const { token } = await app().key();
    await live(40);
    // The last event of each publication. The seed determines which publications change more than once.
    const last = new Map<string, Awaited<ReturnType<typeof events>>[number]>();
    for (const event of await events()) {
      if (event.sequence > (last.get(event.subject.id)?.sequence ?? 0)) last.set(event.subject.id, event);
    }
    const shown = [...last.values()].filter(({ type }) => /^publication\.(published|updated)$/.test(type));
    expect(shown.length).toBeGreaterThan(0);
    for (const { subject, data } of shown) {
      const { status, body } = await sandbox().call(`/v1/publications/${subject.id}`, token);
      expect([status, body]).toEqual([200, data]);
    }
  });

  test('two worlds with the same seed have the same ticks', async () => {
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

  test('a world whose tick fails is reported and postponed, and delays no other world', async () => {
    const broken = fromId('app', app().id);
    await newApp();
    const { superuser } = sandbox().database;
    await superuser.query("update worlds set due_at = clock_timestamp() - interval '1 hour' where app_id = $1", [
      broken,
    ]);
    await dueNow();
    await superuser.query(`create function refuse_turn() returns trigger language plpgsql as $$
      begin if new.app_id = '${broken}' then raise exception 'broken'; end if; return new; end $$`);
    await superuser.query(
      'create trigger refuse_turn before insert on events for each row execute function refuse_turn()',
    );
    const failures: unknown[] = [];
    await workers(1, (error) => failures.push(error));
    await superuser.query('drop function refuse_turn cascade');
    expect([failures.length, (await events()).length]).toEqual([1, 1]);
    const { rows } = await superuser.query(
      'select turn, due_at > clock_timestamp() as later from worlds where app_id = $1',
      [broken],
    );
    expect(rows).toEqual([{ turn: '0', later: true }]);
  });

  test('no tick changes an app without a valid key, a suspended app, or an empty world', async () => {
    await query("update keys set state = 'revoked', revoked_at = now() where app_id = $1");
    await live(3);
    expect([await events(), (await world()).clock.elapsedSeconds]).toEqual([[], 0]);
    await app().key();
    await query("update apps set state = 'suspended' where app_id = $1");
    await live(2);
    expect(await events()).toEqual([]);
    await query("update apps set state = 'active' where app_id = $1");
    await reset({ preset: 'empty' });
    // The reset reports the installations that end with their servers. The empty world adds no event.
    const ofReset = await events();
    await workers(1);
    expect([await events(), (await world()).clock.nextTickAt]).toEqual([ofReset, null]);
  });

  test('ticks never fill a server beyond its limits', async () => {
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
