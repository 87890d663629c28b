// The clock of a world: its speeds, its pause, and ticks that it drops.
import { describe, expect, test } from 'vitest';
import { useWorld } from '../../../test/world.fixture.ts';

const { query, workers, live, events, clock, world, reset } = useWorld();

describe('the clock of a world', () => {
  const due = async (): Promise<number> => {
    const [row] = await query<{ at: Date }>('select due_at as at from worlds where app_id = $1');
    return row?.at.getTime() ?? Number.NaN;
  };
  /**
   * Expects the next tick this much later than the execution of `change`, by the clock that the database and the test
   * share.
   */
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
  ])('at %s the next tick of a small world is due in %i ms', async (speed, ms) => {
    await expectDueAfter(ms, async () => {
      const answer = await clock(speed);
      expect([answer.status, answer.body.clock.speed]).toEqual([200, speed]);
      expect(answer.body.clock.speedUntil === null).toBe(speed === '1x');
    });
  });

  test('a paused clock stands still until it is set again', async () => {
    await clock('paused');
    await workers(2);
    expect([await events(), (await world()).clock]).toEqual([
      [],
      { speed: 'paused', speedUntil: null, elapsedSeconds: 0, nextTickAt: null },
    ]);
    expect((await clock('1x')).body.clock.nextTickAt).not.toBeNull();
  });

  test('the clock counts simulated time, which a reset restarts at the same speed', async () => {
    await clock('60x');
    await live(3);
    expect((await world()).clock).toMatchObject({ speed: '60x', elapsedSeconds: 1_800 });
    await expectDueAfter(10_000, () => reset({}));
    expect((await world()).clock).toMatchObject({ speed: '60x', elapsedSeconds: 0 });
  });

  test('a fast clock returns to normal speed after its time', async () => {
    await clock('3600x');
    await query("update worlds set speed_until = clock_timestamp() - interval '1 second' where app_id = $1");
    await expectDueAfter(600_000, () => live(1));
    expect((await world()).clock).toMatchObject({ speed: '1x', speedUntil: null });
  });

  test('an overdue clock makes up for a few ticks, and not for a day', async () => {
    await clock('60x');
    await query("update worlds set due_at = clock_timestamp() - interval '1 day' where app_id = $1");
    const before = Date.now();
    await workers(1);
    expect((await events()).length).toBeLessThanOrEqual(4);
    expect(await due()).toBeGreaterThanOrEqual(before - 1_000);
  });

  test('an unknown speed is refused', async () => {
    expect((await clock('2x')).status).toBe(400);
  });
});
