// The activity of a key, part by part, over all its records. Each change of the key caused an event of its own object,
// with a delivery and an attempt.
import { addKeyActivity, type KeyActivity } from '../sdk/src/management.ts';
import { toId } from '../server/src/kit/crypto/ids.ts';
import { withConnection } from '../server/src/kit/db/db.ts';
import { addressOf, assertionOf } from './inspector-queries.ts';
import type { Result } from './kit.ts';
import type { RecordedApp } from './many-records.ts';
import { measureParts } from './parts.ts';

const DAY_MS = 86_400_000;

/** The identifier of a request is also that of its event and of its delivery: all three are in one table each. */
const EFFECTS = [
  `insert into events (app_id, event_id, type, schema_version, subject_type, subject_id, sequence, body, created_at, request_id)
   select app_id, request_id, 'ticket.created', 1, 'ticket', gen_random_uuid(), 1, '{}', at, request_id
   from request_records where app_id = $1 and key_id = $2 and method = 'POST' and status < 400`,
  `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status, created_at)
   select app_id, event_id, $2::uuid, event_id, $2::uuid, 'scheduled', 'succeeded', created_at from events
   where app_id = $1 and request_id is not null`,
  `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status, url, key_id)
   select app_id, delivery_id, 1, created_at, 12345, 'response', 200, 'https://receiver.example/hooks', $2::uuid
   from deliveries where app_id = $1`,
];

/** Writes the events that changes of the first key caused, with their deliveries and attempts, into a partition for each day. */
export async function fillEffects(superuserUrl: string, { app_id, keys }: RecordedApp, days: number): Promise<void> {
  await withConnection({ connectionString: superuserUrl }, async (client) => {
    await client.query('begin');
    await client.query(`set local session_replication_role = replica; set local timezone to 'UTC'`);
    for (const table of ['events', 'deliveries', 'attempts']) {
      for (let day = days; day > 0; day--) {
        const from = `date_trunc('day', now()) - interval '${day} days'`;
        await client.query(`do $$ begin
          execute format('create table ${table}_${day}_days_ago partition of ${table} for values from (%L) to (%L)',
            uuid_floor(${from}), uuid_floor(${from} + interval '1 day'));
        end $$`);
      }
    }
    for (const fill of EFFECTS) await client.query(fill, [app_id, keys[0]]);
    await client.query('commit');
    await client.query('vacuum analyze events, deliveries, attempts');
  });
}

export function measureActivity(url: string, app: RecordedApp, days: number): Promise<Result> {
  const since = new Date(Date.now() - days * DAY_MS).toISOString();
  const address = `${addressOf(url, app)}/keys/${toId('key', app.keys[0] ?? '')}/activity`;
  let sum: KeyActivity | undefined;
  return measureParts('activity of a key', async (cursor) => {
    const query = new URLSearchParams({ since, ...(cursor !== undefined && { cursor }) });
    const response = await fetch(`${address}?${query}`, {
      headers: { authorization: `Bearer ${await assertionOf(app)}` },
    });
    if (response.status !== 200) throw new Error(`activity: ${response.status} ${await response.text()}`);
    const part = (await response.json()) as KeyActivity; // the operation's response
    sum = addKeyActivity(sum, part);
    return { part, examined: sum.requests };
  });
}
