// The end of captures, their budget, and replays with a captured body.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { MASTER_KEYS } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { sealedKeyId } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { eraseDueApps } from '../../tenancy/apps/index.ts';
import { countSealed } from '../../webhooks/webhooks/index.ts';
import { createCaptureTools, EXPIRY, idOf, MISSING, rowsIn, TICKET } from './captures.fixture.ts';
import { expireCaptures } from './index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const { rows, countOf, setCaptures, capturedApp, statusOf, reveal, post, audited } = createCaptureTools(() => sandbox);

describe('the end of captures', () => {
  test('destroys the keys before the response, so that stored bytes are unreadable, and deletes the rows later', async () => {
    const app = await capturedApp();
    const answer = await post(app, JSON.stringify(TICKET));
    expect(await statusOf(app, idOf(answer))).toMatchObject({ state: 'kept' });
    expect((await setCaptures(app, false)).body).toMatchObject({ capturesBodies: false });
    const keys = await rows('select sealed_key from capture_keys where app_id = $1', [app.uuid]);
    expect(keys).toEqual([{ sealed_key: null }]);
    expect(await countOf('captures', app)).toBe(1);
    expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'off' });
    expect((await reveal(app, idOf(answer))).body).toMatchObject({ request: null, response: null, snippets: null });
    await expireCaptures(sandbox.worker, EXPIRY, 1);
    for (const table of ['captures', 'capture_contents', 'capture_keys']) expect(await countOf(table, app)).toBe(0);
    expect((await audited(app)).map(({ action }) => action)).toEqual(['app.captures_begin', 'app.captures_end']);
  });

  test('stores nothing that was still in the queue, also under a new key of the same hour', async () => {
    const app = await capturedApp();
    await sandbox.call('/v1/me', app.token);
    await sandbox.captures.queue?.flush();
    // In the queue while the app ends its captures and begins again.
    const waiting = await Promise.all([1, 2, 3].map(() => sandbox.call('/v1/me', app.token)));
    await rows('update apps set captures_since = null where app_id = $1', [app.uuid]);
    await rows('update apps set captures_since = clock_timestamp() where app_id = $1', [app.uuid]);
    await sandbox.captures.queue?.flush();
    for (const answer of waiting) expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'off' });
    const later = await sandbox.call('/v1/me', app.token);
    expect(await statusOf(app, idOf(later))).toMatchObject({ state: 'kept' });
  });

  test('stores nothing that asks for the first key of its app after the app has begun again', async () => {
    const app = await capturedApp();
    await rows('begin');
    await rows('select from apps where app_id = $1 for no key update', [app.uuid]);
    const before = await sandbox.call('/v1/me', app.token);
    // The capture of the request waits for the row of its app.
    await untilLocksWaited(sandbox.database.superuser, 1);
    await rows('update apps set captures_since = null where app_id = $1', [app.uuid]);
    await rows('update apps set captures_since = clock_timestamp() where app_id = $1', [app.uuid]);
    await rows('commit');
    expect(await statusOf(app, idOf(before))).toEqual({ ...MISSING, reason: 'off' });
    for (const table of ['captures', 'capture_keys']) expect(await countOf(table, app)).toBe(0);
    const later = await sandbox.call('/v1/me', app.token);
    expect(await statusOf(app, idOf(later))).toMatchObject({ state: 'kept' });
  });

  test('a key belongs to one period, and a process of the previous release uses the key of the same hour', async () => {
    const app = await capturedApp();
    const added = "select key_id from add_capture_key($1, gen_random_uuid(), '2026-01-01', '\\x00', '2026-01-02'";
    const addByPrevious = () => rows(`${added})`, [app.uuid]);
    const add = (sinceMs: number) => rows(`${added}, $2)`, [app.uuid, sinceMs]);
    const sinceMs = async () => {
      const [row] = await rows<{ ms: number }>(
        'select (extract(epoch from captures_since) * 1000)::float8 as ms from apps where app_id = $1',
        [app.uuid],
      );
      return row?.ms ?? 0;
    };
    expect(await add((await sinceMs()) - 0.001)).toEqual([]); // a microsecond
    expect(await countOf('capture_keys', app)).toBe(0);
    const stored = await add(await sinceMs());
    expect(stored).toHaveLength(1);
    expect(await addByPrevious()).toEqual(stored);
    await rows("update apps set captures_since = captures_since - interval '1 second' where app_id = $1", [app.uuid]);
    expect(await add(await sinceMs())).toEqual([]);
    await rows('delete from capture_keys where app_id = $1', [app.uuid]);
    const storedByPrevious = await addByPrevious();
    expect(storedByPrevious).toHaveLength(1);
    expect(await add(await sinceMs())).toEqual(storedByPrevious);
    await rows('delete from capture_keys where app_id = $1', [app.uuid]);
  });

  test('a request right after captures began again in the same hour is kept', async () => {
    const app = await capturedApp();
    const before = await sandbox.call('/v1/me', app.token);
    expect(await statusOf(app, idOf(before))).toMatchObject({ state: 'kept' });
    await setCaptures(app, false);
    await setCaptures(app, true);
    const first = await sandbox.call('/v1/me', app.token);
    expect(await statusOf(app, idOf(first))).toMatchObject({ state: 'kept' });
    expect(await statusOf(app, idOf(before))).toEqual({ ...MISSING, reason: 'off' });
  });

  test('waits for a batch that is being stored, and then destroys its key', async () => {
    const app = await capturedApp();
    await sandbox.call('/v1/me', app.token);
    await sandbox.captures.queue?.flush();
    // The lock of a batch in progress.
    await rows('begin');
    await rows('select from capture_keys where app_id = $1 for share', [app.uuid]);
    const ending = setCaptures(app, false);
    await untilLocksWaited(sandbox.database.superuser, 1);
    await rows('commit');
    expect((await ending).status).toBe(200);
    expect(await rows('select from capture_keys where app_id = $1 and sealed_key is not null', [app.uuid])).toEqual([]);
  });

  test('a capture expires with its hour, and the job destroys its key and deletes its rows', async () => {
    const app = await capturedApp();
    const answer = await post(app, JSON.stringify(TICKET));
    const { expiresAt } = await statusOf(app, idOf(answer));
    const hours = (Date.parse(expiresAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(22.9);
    expect(hours).toBeLessThanOrEqual(24);
    await rows("update capture_keys set expires_at = clock_timestamp() - interval '1 second' where app_id = $1", [
      app.uuid,
    ]);
    expect((await reveal(app, idOf(answer))).body.request).toBeNull();
    await rows("update apps set captures_since = '2020-01-01' where app_id = $1", [app.uuid]);
    await rows("update request_records set at = now() - interval '25 hours' where request_id = $1", [
      fromId('req', idOf(answer)),
    ]);
    expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'expired' });
    await expireCaptures(sandbox.worker, EXPIRY, 1);
    for (const table of ['captures', 'capture_contents', 'capture_keys']) expect(await countOf(table, app)).toBe(0);
  });

  test('a capture expires after the hours that the operator sets', async () => {
    const brief = await startSandbox({}, { retentionHours: 2 });
    try {
      const app = await capturedApp(brief);
      const answer = await brief.call('/v1/me', app.token);
      const { expiresAt } = await statusOf(app, idOf(answer), brief);
      expect((Date.parse(expiresAt ?? '') - Date.now()) / 3_600_000).toBeLessThanOrEqual(2);
      await rowsIn(brief, "update capture_keys set expires_at = clock_timestamp() - interval '1 second'");
      await rowsIn(brief, "update apps set captures_since = '2020-01-01' where app_id = $1", [app.uuid]);
      await rowsIn(brief, "update request_records set at = now() - interval '3 hours' where request_id = $1", [
        fromId('req', idOf(answer)),
      ]);
      expect(await statusOf(app, idOf(answer), brief)).toEqual({ ...MISSING, reason: 'expired' });
    } finally {
      await brief.close();
    }
  });

  test('the job of an operator who forbids captures destroys every key', async () => {
    const app = await capturedApp();
    await post(app, JSON.stringify(TICKET));
    await sandbox.captures.queue?.flush();
    await expireCaptures(sandbox.worker, { ...EXPIRY, isAllowed: false });
    expect(await rows('select from capture_keys')).toEqual([]);
    expect(await countOf('captures', app)).toBe(0);
  });

  test('the job seals living keys under the current master key', async () => {
    const app = await capturedApp();
    const answer = await post(app, JSON.stringify(TICKET));
    await sandbox.captures.queue?.flush();
    const next = { m2: secret(Buffer.alloc(32, 7).toString('base64')) };
    const rotated = { current: 'm2', keys: { ...MASTER_KEYS.keys, ...next } };
    const inUse = async () => (await countSealed(sandbox.worker)).map(({ master_key }) => master_key);
    expect(await inUse()).toEqual([MASTER_KEYS.current]);
    await expireCaptures(sandbox.worker, { masterKeys: rotated, isAllowed: true }, 1);
    expect(await inUse()).toEqual(['m2']);
    const [key] = await rows<{ sealed_key: Buffer }>('select sealed_key from capture_keys where app_id = $1', [
      app.uuid,
    ]);
    expect(sealedKeyId(key?.sealed_key ?? Buffer.alloc(0))).toBe('m2');
    expect((await reveal(app, idOf(answer))).status).toBe(500); // this process does not know the new master key
    sandbox.errors.length = 0;
    await rows('delete from capture_keys');
  });

  test('an erased app leaves nothing', async () => {
    const app = await capturedApp();
    await post(app, JSON.stringify(TICKET));
    await sandbox.captures.queue?.flush();
    await rows(
      "update apps set state = 'suspended', erase_at = clock_timestamp() - interval '1 minute' where app_id = $1",
      [app.uuid],
    );
    await eraseDueApps(sandbox.worker, (error) => sandbox.errors.push(error));
    expect(sandbox.errors).toEqual([]);
    for (const table of ['captures', 'capture_contents', 'capture_keys']) expect(await countOf(table, app)).toBe(0);
  });
});

describe('best effort', () => {
  test('a capture above the budget is refused, counted and reported, and the others are kept', async () => {
    const budget = {
      app: { burst: 12_000, bytesPerSecond: 0 },
      process: { burst: 1_000_000, bytesPerSecond: 0 },
    };
    const small = await startSandbox({}, { budget });
    try {
      const [app, other] = [await capturedApp(small), await capturedApp(small)];
      const answers: Answer[] = [];
      for (let asked = 0; asked < 30; asked++) answers.push(await small.call('/v1/me', app.token));
      const others = await small.call('/v1/me', other.token);
      const first = answers[0] as Answer;
      const last = answers.at(-1) as Answer;
      expect(await statusOf(app, idOf(first), small)).toMatchObject({ state: 'kept' });
      expect(await statusOf(app, idOf(last), small)).toEqual({ ...MISSING, reason: 'over_budget' });
      expect(await statusOf(other, idOf(others), small)).toMatchObject({ state: 'kept' });
      const [gap] = await rowsIn<{ refused: string }>(small, 'select sum(refused) as refused from capture_gaps');
      const [kept] = await rowsIn<{ n: number }>(small, 'select count(*)::int as n from captures where app_id = $1', [
        app.uuid,
      ]);
      expect(Number(gap?.refused)).toBe(30 - (kept?.n ?? 0));
    } finally {
      await small.close();
    }
  });

  test('a response does not wait for a capture that cannot be stored, which is reported as lost', async () => {
    const app = await capturedApp();
    await rows('alter table captures rename to captures_gone');
    const answer = await sandbox.call('/v1/me', app.token);
    expect(answer.status).toBe(200);
    await sandbox.captures.queue?.flush();
    expect(sandbox.errors.length).toBeGreaterThan(0);
    sandbox.errors.length = 0;
    await rows('alter table captures_gone rename to captures');
    expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'pending' });
    await rows("update request_records set at = at - interval '6 seconds' where app_id = $1", [app.uuid]);
    await rows("update apps set captures_since = captures_since - interval '1 minute' where app_id = $1", [app.uuid]);
    expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'lost' });
  });
});

describe('replay', () => {
  const replay = async (app: TestApp, requestId: string, input: object = {}) => {
    await sandbox.captures.queue?.flush();
    return sandbox.manage<{ status: number; body: string; omittedParts: string[] }>(
      'POST',
      `/apps/${app.id}/requests/${requestId}/replay`,
      input,
    );
  };

  test('sends the stored body, also if it looks like a mask', async () => {
    const app = await capturedApp();
    const answer = await post(app, JSON.stringify({ subject: '[string of 12 characters]', body: 'x' }));
    const { status, body } = await replay(app, idOf(answer));
    expect([status, body.status, body.omittedParts]).toEqual([200, 201, []]);
    expect(JSON.parse(body.body)).toMatchObject({ subject: '[string of 12 characters]' });
    const own = await replay(app, idOf(answer), { body: JSON.stringify({ subject: 'Own', body: 'x' }) });
    expect(JSON.parse(own.body.body)).toMatchObject({ subject: 'Own' });
  });

  test('refuses a masked, a cut and a missing body', async () => {
    const app = await capturedApp();
    const masked = await post(app, JSON.stringify({ ...TICKET, metadata: { bank: 'DE-11' } }));
    const cut = await post(app, JSON.stringify({ subject: 'Hello', body: 'x'.repeat(100_000) }));
    await sandbox.captures.queue?.flush();
    const off = await post(app, JSON.stringify(TICKET));
    await sandbox.captures.queue?.flush();
    await rows('delete from captures where request_id = $1', [fromId('req', idOf(off))]);
    for (const answer of [masked, cut, off]) {
      const { status, body } = await replay(app, idOf(answer));
      expect([status, body]).toMatchObject([400, { errors: [{ pointer: '/body' }] }]);
    }
  });
});
