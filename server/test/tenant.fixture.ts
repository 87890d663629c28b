// An app with a row in every table.
import { expect } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { json, type Sandbox } from './app.ts';

/**
 * Creates a row of an app in every table with rows of apps. The sandbox's webhooks must be allowed to go to
 * 127.0.0.1:1.
 */
export async function fillTenant(sandbox: Sandbox, organisationId: string) {
  const app = await sandbox.newApp(organisationId);
  const key = await app.key();
  const { superuser } = sandbox.database;
  const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ticket.created'] };
  const endpoints = `/apps/${app.id}/endpoints`;
  const added = await sandbox.manage<{ endpoint: { id: string } }>('POST', endpoints, endpoint, { organisationId });
  const drills = `${endpoints}/${added.body.endpoint.id}/drills`;
  expect((await sandbox.manage('POST', drills, undefined, { organisationId })).status).toBe(202);
  const fault = { operationId: null, share: 0, effect: { reset: true } };
  expect((await sandbox.manage('POST', `/apps/${app.id}/faults`, fault, { organisationId })).status).toBe(201);
  const ticket = json({ subject: 's', body: 'b' });
  const headers = { ...ticket.headers, 'idempotency-key': 'one' };
  const created = await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, { ...ticket, headers });
  expect(created.status).toBe(201);
  const workflows = await sandbox.call<{ data: { id: string }[] }>(
    `/v1/servers/${app.serverIds[0]}/workflows`,
    key.token,
  );
  const runs = `/v1/workflows/${workflows.body.data.at(-1)?.id}/runs`;
  expect((await sandbox.call(runs, key.token, json({ input: { memberName: 'Imke' } }))).status).toBe(202);
  const appId = fromId('app', app.id) ?? '';
  await superuser.query(
    `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome)
     select app_id, delivery_id, 1, now(), 1, 'response' from deliveries where app_id = $1`,
    [appId],
  );
  await superuser.query("update deliveries set status = 'failed', finished_at = now() where app_id = $1", [appId]);
  const redelivery = { since: '2000-01-01T00:00:00Z' };
  const job = await sandbox.manage('POST', `/apps/${app.id}/redeliveries`, redelivery, { organisationId });
  expect(job.status).toBe(201);
  await superuser.query(
    `insert into relays (app_id, relay_id, endpoint_id, request, epoch)
     select app_id, gen_random_uuid(), endpoint_id, '', 0 from endpoints where app_id = $1`,
    [appId],
  );
  await superuser.query('insert into stop_epochs values ($1, 1) on conflict do nothing', [appId]);
  await superuser.query(
    `with w as (insert into workers (worker_id) values (gen_random_uuid()) returning worker_id)
     insert into stops (stop_id, worker_id, app_id, epoch) select gen_random_uuid(), worker_id, $1, 1 from w`,
    [appId],
  );
  // Rows that only a contract of an operator has.
  await superuser.query(
    `insert into objects (app_id, object_id, kind, key, server_id, data, hidden, is_writable, created_at)
     select app_id, gen_random_uuid(), 'order', 'ord_1', server_id, '{}', '{}', true, now() from servers where app_id = $1 limit 1`,
    [appId],
  );
  await superuser.query("insert into object_numbers values ($1, 'order', 1)", [appId]);
  // Rows that only production writes.
  const hash = `'\\x${'00'.repeat(32)}'`;
  await superuser.query(`insert into forwarded_mutations values ($1, ${hash}, ${hash}, now(), now())`, [appId]);
  await superuser.query(`insert into ingested_events values ($1, ${hash})`, [appId]);
  await superuser.query('insert into subject_sequences values ($1, gen_random_uuid(), 1)', [appId]);
  await superuser.query(
    `with stated as (insert into upstream_installations values ($1, gen_random_uuid(), 1) returning app_id, server_id)
     insert into installation_restrictions (app_id, server_id, scope, state) select app_id, server_id, '*', 'paused' from stated`,
    [appId],
  );
  await superuser.query("insert into deprecated_uses values ($1, 'a-thing', current_date, 1, now())", [appId]);
  await superuser.query("insert into deprecation_stages values ($1, 'a-thing', 90)", [appId]);
  await superuser.query("insert into deprecation_answers values ($1, 'a-thing', null, now(), 'c')", [appId]);
  await superuser.query('insert into record_gaps values ($1, now(), 1)', [appId]);
  await superuser.query(
    `with key as (insert into capture_keys values ($1, gen_random_uuid(), now(), '\\x00', now() + interval '1 hour')
       returning app_id, key_id),
     content as (insert into capture_contents select app_id, key_id, '\\x01', '\\x00' from key)
     insert into captures select app_id, gen_random_uuid(), key_id, 'none', 'whole', '\\x01', '\\x00' from key`,
    [appId],
  );
  await superuser.query('insert into capture_gaps values ($1, now(), 1)', [appId]);
  await superuser.query("insert into key_scope_uses values ($1, gen_random_uuid(), 'events:read', current_date, 1)", [
    appId,
  ]);
  await superuser.query("insert into grant_uses values ($1, gen_random_uuid(), 'events:read', current_date)", [appId]);
  await superuser.query("insert into key_uses values ($1, gen_random_uuid(), now(), '192.0.2.1')", [appId]);
  await superuser.query(
    `insert into notices (organisation_id, notice_id, app_id, key_id, kind, days_ahead, app_name, key_name, kid,
       key_created_by, expires_at)
     select $2, gen_random_uuid(), app_id, key_id, 'key_expires', 7, 'An app', name, kid, created_by, expires_at
     from keys where app_id = $1 limit 1`,
    [appId, organisationId],
  );
  await superuser.query(
    `insert into revocation_receipts (organisation_id, receipt_id, app_id, keys, grants)
     values ($2, gen_random_uuid(), $1, '[]', '[]')`,
    [appId, organisationId],
  );
  return { appId, organisationId };
}
