// Captures: headers and bodies of sandbox requests, which only an app that asks for them has, masked before they are sealed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox } from '../../../test/app.ts';
import { ROLES } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createCaptureTools, idOf, MISSING, rowsIn, TICKET } from './captures.fixture.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const { rows, countOf, setCaptures, newApp, capturedApp, statusOf, reveal, ticketsOf, post, audited } =
  createCaptureTools(() => sandbox);

describe('a request of an app that captures', () => {
  test('is revealed with its headers and bodies, and as code with the real body', async () => {
    const app = await capturedApp();
    const sent = '{"subject": "Hello",  "body":"From \\"the\\" test: it\'s 1.0"}';
    const answer = await post(app, sent);
    expect(answer.status).toBe(201);
    const status = await statusOf(app, idOf(answer));
    expect(status).toMatchObject({ state: 'kept', reason: null, requestBody: 'whole', responseBody: 'whole' });
    const { body, headers } = await reveal(app, idOf(answer));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.request.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(body.response.headers).toMatchObject({ 'request-id': idOf(answer) });
    expect(JSON.parse(body.request.body ?? '')).toEqual(JSON.parse(sent));
    expect(JSON.parse(body.response.body ?? '')).toMatchObject({ id: answer.body.id, subject: 'Hello' });
    expect(body.snippets.curl).toContain('From \\"the\\" test');
    expect(body.snippets.fetch).toContain('1.0');
    expect(body.snippets.isComplete).toBe(true);
  });

  test('has its body and the problem of a refusal', async () => {
    const app = await capturedApp();
    const answer = await post(app, '{"subject":17}');
    expect(answer.status).toBe(400);
    const { body } = await reveal(app, idOf(answer));
    expect(body.request.body).toBe('{"subject":17}');
    expect(JSON.parse(body.response.body ?? '')).toEqual(answer.body);
  });

  test('has no text of a body that is not JSON, and says so', async () => {
    const app = await capturedApp();
    for (const [type, body] of [
      ['application/json', '{"subject":'],
      ['text/plain', 'Hello'],
      ['application/octet-stream', 'Hello'],
    ] as const) {
      const answer = await post(app, body, { 'content-type': type });
      expect([type, await statusOf(app, idOf(answer))]).toMatchObject([type, { requestBody: 'not_text' }]);
      expect((await reveal(app, idOf(answer))).body.request.body).toBeNull();
    }
  });

  test('has the first 64 KiB of a longer body, without half a character', async () => {
    const app = await capturedApp();
    const long = JSON.stringify({ subject: 'Hello', body: `x${'é'.repeat(50_000)}` });
    const answer = await post(app, long);
    expect(await statusOf(app, idOf(answer))).toMatchObject({ state: 'kept', requestBody: 'cut' });
    const { body } = await reveal(app, idOf(answer));
    expect(Buffer.byteLength(body.request.body ?? '')).toBeGreaterThan(65_530);
    expect(Buffer.byteLength(body.request.body ?? '')).toBeLessThanOrEqual(65_536);
    expect(long.startsWith(body.request.body ?? '-')).toBe(true);
    expect(body.snippets.isComplete).toBe(false);
  });

  test('has no secret of a header or a body, in no spelling, and no sensitive value of the contract', async () => {
    const app = await capturedApp();
    const [, half = ''] = /^(?:[^_]*_){3}(.*)$/.exec(app.token) ?? [];
    const escaped = [...app.token].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
    const body = `{"subject":"${app.token}","body":"${escaped}","metadata":{"bank":"DE-11"},"requester":{"name":"Imke Secret"}}`;
    const answer = await post(app, body, {
      cookie: 'session=Mornings',
      'x-api-key': 'Evenings',
      'x-forwarded-for': '198.51.100.77',
      'x-note': `see ${app.token}`,
      'user-agent': Buffer.from(app.token).toString('base64'),
    });
    const { body: opened, text } = await reveal(app, idOf(answer));
    for (const hidden of [half, 'Mornings', 'Evenings', '198.51.100.77', 'DE-11', 'Imke Secret'])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
    expect(text).not.toContain(Buffer.from(half.slice(3)).toString('base64').slice(2, 20));
    expect(opened.status.requestBody).toBe('masked');
    expect(opened.request.maskedPointers.sort()).toEqual(['/body', '/metadata', '/requester', '/subject']);
    expect(opened.request.maskedHeaders.sort()).toEqual(
      ['authorization', 'cookie', 'user-agent', 'x-api-key', 'x-forwarded-for', 'x-note'].sort(),
    );
  });

  test('has no sensitive value that was sent in the wrong place', async () => {
    const app = await capturedApp();
    const answer = await post(app, JSON.stringify({ ticket: { ...TICKET, metadata: { bank: 'DE-11' } } }));
    expect(answer.status).toBe(400);
    const { body, text } = await reveal(app, idOf(answer));
    expect([body.status.requestBody, body.request.maskedPointers]).toEqual(['masked', ['/ticket/metadata']]);
    expect(text).not.toContain('DE-11');
  });

  test('is stored although the key of another app in its batch cannot be opened', async () => {
    const [broken, app] = [await capturedApp(), await capturedApp()];
    await rows(
      "select from add_capture_key($1, gen_random_uuid(), date_trunc('hour', now()), '\\x00', now() + interval '1 day')",
      [broken.uuid],
    );
    const senders = Array.from({ length: 10 }, () => [broken, app]).flat();
    const answers = await Promise.all(senders.map((one) => sandbox.call('/v1/me', one.token)));
    await sandbox.captures.queue?.flush();
    expect(sandbox.errors.splice(0).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect([await countOf('captures', broken), await countOf('captures', app)]).toEqual([0, 10]);
  });

  test('has no sensitive value in a response either, wherever it stands', async () => {
    const app = await capturedApp();
    const made = await post(app, JSON.stringify({ ...TICKET, metadata: { bank: 'DE-11' } }));
    expect(made.status).toBe(201);
    expect(made.text).toContain('DE-11');
    const listed = await sandbox.call(ticketsOf(app), app.token);
    for (const answer of [made, listed]) {
      const { body, text } = await reveal(app, idOf(answer));
      expect([answer.status, text.includes('DE-11')]).toEqual([answer.status, false]);
      expect([answer.text.includes('DE-11'), body.status.responseBody]).toEqual([true, 'masked']);
    }
  });

  test('stores an identical response once for the app, and not for another app', async () => {
    const [app, other] = [await capturedApp(), await capturedApp()];
    const answers: Answer[] = [];
    for (let asked = 0; asked < 5; asked++) answers.push(await sandbox.call('/v1/servers', app.token));
    await sandbox.call('/v1/servers', other.token);
    await sandbox.captures.queue?.flush();
    expect([await countOf('captures', app), await countOf('capture_contents', app)]).toEqual([5, 1]);
    expect(await countOf('capture_contents', other)).toBe(1);
    for (const answer of answers) expect((await reveal(app, idOf(answer))).body.response.body).toBe(answer.text);
  });

  test('appears in no list, export or tail', async () => {
    const app = await capturedApp();
    await post(app, JSON.stringify({ subject: 'Canary-4711', body: 'Canary-4711' }));
    await sandbox.captures.queue?.flush();
    for (const path of ['requests', 'requests.ndjson', 'requests.csv', 'traces', 'request-groups']) {
      const { text } = await sandbox.manage('GET', `/apps/${app.id}/${path}`);
      expect([path, text.includes('Canary-4711')]).toEqual([path, false]);
    }
  });
});

describe('permission', () => {
  test('an app captures nothing before it asks for it, and a viewer cannot ask', async () => {
    const app = await newApp();
    expect((await sandbox.manage('GET', `/apps/${app.id}`)).body).toMatchObject({
      capturesBodies: false,
      canCaptureBodies: true,
    });
    const answer = await post(app, JSON.stringify(TICKET));
    expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'off' });
    expect((await setCaptures(app, true, 'viewer')).status).toBe(403);
    await setCaptures(app, true);
    expect(await statusOf(app, idOf(answer))).toEqual({ ...MISSING, reason: 'off' });
  });

  test('owner, admin and developer reveal a capture, which the audit log records', async () => {
    const app = await capturedApp();
    const answer = await post(app, JSON.stringify(TICKET));
    for (const role of ROLES) {
      const { status, body } = await reveal(app, idOf(answer), { role });
      const isAllowed = role === 'owner' || role === 'admin' || role === 'developer';
      expect([role, status, 'request' in body]).toEqual([role, isAllowed ? 200 : 403, isAllowed]);
    }
    const reveals = (await audited(app)).filter(({ action }) => action === 'capture.reveal');
    expect(reveals).toEqual(
      [1, 2, 3].map(() => ({ action: 'capture.reveal', actor: 'tester@example.org', target: idOf(answer) })),
    );
  });

  test('a capture is revealed under its own app and organisation only', async () => {
    const [app, other] = [await capturedApp(), await capturedApp()];
    const answer = await post(app, JSON.stringify(TICKET));
    expect((await reveal(other, idOf(answer))).status).toBe(404);
    const stranger = { organisationId: '01890000-0000-7000-8000-000000000000' };
    expect((await reveal(app, idOf(answer), stranger)).status).toBe(404);
    // The ciphertext is bound to its row: moved to another request, it does not open.
    const mine = await post(other, JSON.stringify(TICKET));
    await sandbox.captures.queue?.flush();
    await rows(
      `update captures c set ciphertext = o.ciphertext, key_id = o.key_id from captures o
       where c.request_id = $1 and o.request_id = $2`,
      [fromId('req', idOf(mine)), fromId('req', idOf(answer))],
    );
    const key = 'update capture_keys set app_id = $1 where app_id = $2';
    await rows('delete from capture_keys where app_id = $1', [other.uuid]);
    await rows(key, [other.uuid, app.uuid]);
    expect((await reveal(other, idOf(mine))).status).toBe(500);
    sandbox.errors.length = 0;
  });

  test('an operator who forbids captures ends them for all apps', async () => {
    const forbidding = await startSandbox({}, { isAllowed: false });
    try {
      const app = await newApp(forbidding);
      expect((await forbidding.manage('GET', `/apps/${app.id}`)).body).toMatchObject({ canCaptureBodies: false });
      const refused = await setCaptures(app, true, 'owner', forbidding);
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
      await rowsIn(forbidding, 'update apps set captures_since = now() where app_id = $1', [app.uuid]);
      const answer = await forbidding.call('/v1/me', app.token);
      expect(answer.status).toBe(200);
      expect(await statusOf(app, idOf(answer), forbidding)).toEqual({ ...MISSING, reason: 'off' });
      expect(await rowsIn(forbidding, 'select from captures')).toEqual([]);
    } finally {
      await forbidding.close();
    }
  });

  test('a database of production stores no key of captures', async () => {
    const app = await capturedApp();
    const values = [app.uuid];
    await rows('begin');
    await rows("update plane_state set environment = 'production'");
    const added = rows("select add_capture_key($1, gen_random_uuid(), now(), '\\x00', now())", values);
    await expect(added).rejects.toThrow('captures belong to the sandbox');
    await rows('rollback');
  });
});
