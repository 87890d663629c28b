// The management of destinations of notices: roles, secrets, the audit log, quotas and test messages.
import { expect, test } from 'vitest';
import { foundOrganisation } from '../../../test/organisation.fixture.ts';
import {
  answerWith,
  call,
  create,
  DESTINATIONS,
  home,
  list,
  messages,
  query,
  receiver,
  send,
  site,
  useDestinations,
} from './destinations.fixture.ts';

useDestinations();

test('neither the address nor the secret is shown after the creation, stored as text, or written to the audit log', async () => {
  const url = `${receiver.url}/of-a-secret-path`;
  const { destination, signingSecret } = (await create({ url })).body;
  expect(destination).toMatchObject({
    host: receiver.host,
    state: 'enabled',
    environments: ['sandbox', 'production'],
  });
  const shown = JSON.stringify([
    await list(),
    await query('select row_to_json(d) from notice_destinations d'),
    await query("select detail from audit_entries where action like 'notice_destination%'"),
  ]);
  for (const hidden of ['of-a-secret-path', signingSecret.slice(6)]) {
    expect(shown).not.toContain(hidden);
    expect(shown).not.toContain(Buffer.from(hidden).toString('hex'));
  }
});

test('a developer manages destinations, and a viewer or auditor only lists them', async () => {
  const { destination } = (await create({}, await home.join('developer'))).body;
  for (const role of ['viewer', 'auditor'] as const) {
    const member = await home.join(role);
    expect((await call('GET', '', undefined, member)).status).toBe(200);
    expect((await create({}, member)).status).toBe(403);
    for (const [method, path, body] of [
      ['PATCH', `/${destination.id}`, { state: 'disabled' }],
      ['POST', `/${destination.id}/test`],
      ['DELETE', `/${destination.id}`],
    ] as const)
      expect([method, (await call<{ code: string }>(method, path, body, member)).body.code]).toEqual([
        method,
        'role_not_allowed',
      ]);
  }
  expect((await list()).map(({ state }) => state)).toEqual(['enabled']);
});

test('the audit log names each change', async () => {
  const { destination } = (await create()).body;
  await call('PATCH', `/${destination.id}`, { name: 'Renamed', state: 'disabled' });
  await call('PATCH', `/${destination.id}`, { state: 'enabled' });
  await call('POST', `/${destination.id}/test`);
  await call('DELETE', `/${destination.id}`);
  const entries = await query<{ action: string; detail: object }>(
    'select action, detail from audit_entries where target = $1 order by sequence',
    [destination.id],
  );
  expect(entries.map(({ action }) => action.replace('notice_destination.', ''))).toEqual([
    ...['create', 'update', 'update', 'test', 'delete'],
  ]);
  expect(entries[0]?.detail).toMatchObject({ kind: 'webhook', name: 'Alerts', host: receiver.host });
  expect(entries[1]?.detail).toEqual({ name: 'Renamed', state: 'disabled' });
});

test('an address that is not public, and a destination of another organisation, are refused', async () => {
  for (const url of ['http://127.0.0.1:1/hooks', 'https://10.0.0.1/', 'http://example.org/', 'ftp://example.org/']) {
    const { status, body } = await create({ url });
    expect([url, status, JSON.stringify(body).includes('/url')]).toEqual([url, 400, true]);
  }
  const { destination } = (await create()).body;
  const other = await foundOrganisation(site);
  const path = `${other.base}${DESTINATIONS}/${destination.id}`;
  const statuses = [];
  for (const [method, end, body] of [
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const)
    statuses.push((await other.owner.visitor.call(method, path + end, body)).status);
  expect(statuses).toEqual([404, 404, 404]);
});

test('the 51st destination is refused', async () => {
  await create();
  await query(`insert into notice_destinations
    select gen_random_uuid(), organisation_id, kind, name, host, sealed_url, sealed_secret, environments, muted_kinds,
      null, null, null, null, null, null, created_by from notice_destinations, generate_series(1, 49)`);
  const { status, body } = await create();
  expect([status, (body as object as { code: string }).code]).toEqual([409, 'quota_exceeded']);
});

test('a test message is sent in one attempt, and its result is listed', async () => {
  const { destination } = (await create()).body;
  answerWith(() => 500);
  expect((await call('POST', `/${destination.id}/test`)).status).toBe(202);
  expect((await call<{ code: string }>('POST', `/${destination.id}/test`)).body.code).toBe('conflict');
  await send();
  expect((await list())[0]?.lastAttempt).toMatchObject({ outcome: 'failed', status: 500 });
  answerWith(() => 204);
  expect((await call('POST', `/${destination.id}/test`)).status).toBe(202);
  await send();
  expect((await list())[0]?.lastAttempt).toMatchObject({ outcome: 'succeeded', status: 204 });
  expect(messages().map(({ kind, cause }) => [kind, cause])).toEqual([
    ['test', 'test'],
    ['test', 'test'],
  ]);
  await call('PATCH', `/${destination.id}`, { state: 'disabled' });
  expect((await call('POST', `/${destination.id}/test`)).status).toBe(409);
});
