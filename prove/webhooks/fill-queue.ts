// Thousands of waiting deliveries of an app's endpoints, written by the database itself.
import type { App, ProofType, WebhookSetup } from './setup.ts';

/** The SQL of a UUIDv7 of the current time. */
export const NEW_ID =
  "(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid";

/** Creates `each` due deliveries of one event per endpoint of the app. */
export async function fillQueue(
  setup: WebhookSetup,
  app: App,
  each: number,
  type: ProofType = 'ticket.created',
): Promise<void> {
  await setup.emit(app, 1, type);
  await setup.rows(
    `with event as (select event_id, server_id, schema_version from events where app_id = $1 limit 1),
     made as (
       insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, schema_version)
       select e.app_id, ${NEW_ID}, e.endpoint_id, event.event_id, e.key_id, event.server_id, 'scheduled', 'pending',
         event.schema_version
       from endpoints e cross join event cross join generate_series(2, $2::int)
       where e.app_id = $1
       returning app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, schema_version)
     insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, schema_version) select * from made`,
    [app.appId, each],
  );
}
