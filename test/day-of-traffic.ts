// SQL that creates a day of calls and deliveries in the demo's app, because real ones would take too long.

/** Returns the SQL of an identifier that was created at this time. */
export const idAt = (ms: string, i: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '70008000' || lpad(to_hex(${i}), 12, '0'))::uuid`;

/** Returns the SQL of the time this many minutes ago, in milliseconds. */
export const msAgo = (minutes: string): string =>
  `(extract(epoch from now()) * 1000)::bigint - ((${minutes}) * 60000)::bigint`;

/**
 * Returns the SQL of 1,200 calls of the last twenty hours, or `times` as many. One in ten was refused, one in fifty
 * failed, and the latest ones took longer.
 */
export const requestsOf = (appId: string | undefined, times = 1): string => `
  insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path, response_bytes)
  select '${appId}', ${idAt('ms', 'i')}, to_timestamp(ms / 1000.0),
    (1500 + 400 * (i % 7)) * case when i < 300 then 12 else 1 end * case when i % 33 = 0 then 9 else 1 end, 100,
    case when i % 50 = 0 then 500 when i % 10 = 0 then 404 else 200 end, 'GET', '/v1/servers', 12
  from generate_series(${5 * times}, ${1205 * times - 1}) i, lateral (select ${msAgo(`i / ${times}.0`)} as ms)`;

/** Returns the SQL of this many calls, spread over the second that began `minutesAgo`. */
export const callsOf = (appId: string | undefined, count: number, minutesAgo: number): string => `
  insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path, response_bytes)
  select '${appId}', ${idAt('ms', 'i')}, to_timestamp(ms / 1000.0), 900, 100, 200, 'GET', '/v1/me', 12
  from generate_series(0, ${count - 1}) i, lateral (select ${msAgo(`${minutesAgo}`)} + i * 1000 / ${count} as ms)`;

/** Returns the SQL of 200 deliveries of the last ten hours to the demo's endpoint. For two hours none succeeded. */
export const deliveriesOf = (appId: string | undefined): string => `
  with made as (
    insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status, created_at, finished_at)
    select e.app_id, ${idAt('ms', 'i')}, e.endpoint_id, gen_random_uuid(), e.key_id, 'scheduled',
      case when i between 60 and 100 then 'failed' else 'succeeded' end, to_timestamp(ms / 1000.0), now()
    from generate_series(1, 200) i, lateral (select ${msAgo('i * 3')} as ms), endpoints e
    where e.app_id = '${appId}'
    returning *)
  insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status)
  select app_id, delivery_id, 1, created_at, 1000, 'response', case status when 'failed' then 500 else 204 end from made`;

/** Returns the SQL of this many servers without an installation of the app. */
export const serversOf = (appId: string | undefined, count: number): string => `
  insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, member_count, created_at)
  select '${appId}', ${idAt('ms', 'i')}, 'Server ' || i, 'server-' || i, '', 'https://cdn.example/icon.png', 'en', 'UTC', 1, now()
  from generate_series(1, ${count}) i, lateral (select ${msAgo('i * 3')} as ms)`;
