// Migration 0078 on jobs whose `reason` stores the status `pending` as a mark.
import { expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/harness.ts';
import { migrateDatabase, requiredMigrations } from '../../boot/process.ts';

test('the migration of the status pending converts each mark and changes no other job', async () => {
  const setting = 'SLIPWAY_SANDBOX_DATABASE_URL';
  const number = (await requiredMigrations('plane')).findIndex(({ name }) => name.includes('pending_in_redeliveries'));
  const { superuser, url, drop } = await cloneDatabase('plane');
  await superuser.query('drop schema public cascade');
  await superuser.query('create schema public authorization slipway_sandbox');
  await migrateDatabase('plane', url, setting, number);
  // The jobs belong to no app, so the check of the foreign key is off.
  await superuser.query("set session_replication_role = 'replica'");
  await superuser.query(`
    insert into redeliveries (app_id, redelivery_id, statuses, reason, since, rate_per_second, total, is_total_exact,
      after_event_id, after_delivery_id, created_by, created_at)
    select gen_random_uuid(), gen_random_uuid(), statuses::text[], reason, now(), 100, 1, true,
      gen_random_uuid(), gen_random_uuid(), name, now()
    from (values ('only retries', '{failed}', '=pending'), ('with retries', '{failed,cancelled}', '+pending'),
      ('a reason', '{skipped}', 'endpoint_disabled'), ('ended', '{failed}', null)) job (name, statuses, reason)`);
  await migrateDatabase('plane', url, setting);
  const { rows } = await superuser.query('select created_by, statuses, reason from redeliveries order by created_by');
  const { rows: tables } = await superuser.query(
    "select relforcerowsecurity as is_forced from pg_class where relname = 'redeliveries'",
  );
  await drop();
  expect(rows.map(Object.values)).toEqual([
    ['a reason', ['skipped'], 'endpoint_disabled'],
    ['ended', ['failed'], null],
    ['only retries', ['pending'], null],
    ['with retries', ['failed', 'cancelled', 'pending'], null],
  ]);
  expect(tables).toEqual([{ is_forced: true }]);
});
