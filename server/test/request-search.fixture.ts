// Creates records like those of months of calls, directly in the database.
import { firstUuidAt, uuidBytes, uuidText } from '../src/kit/crypto/ids.ts';
import type { Sandbox } from './app.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** Returns the beginning of the day (UTC) this many days ago. */
export const dayAgo = (days: number): number => Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;

/** Returns the identifier of a request that arrived at this time. */
export function requestUuid(atMs: number, tail: number): string {
  const bytes = uuidBytes(firstUuidAt(atMs));
  bytes.writeUInt8(0x70, 6);
  bytes.writeUInt8(0x80, 8);
  bytes.writeUIntBE(tail, 10, 6);
  return uuidText(bytes);
}

/** Returns the name of the partition of an hour. */
export const hourOf = (atMs: number): string =>
  `request_records_${new Date(atMs).toISOString().slice(0, 13).replaceAll('-', '').replace('T', '_')}`;

/** Creates the partitions of all or some hours of a day, as housekeeping does. */
export async function makeHours(sandbox: Sandbox, dayMs: number, hours = Array.from({ length: 24 }, (_, at) => at)) {
  const { superuser } = sandbox.database;
  await superuser.query('set role slipway_sandbox');
  for (const hour of hours) {
    const from = dayMs + hour * HOUR_MS;
    await superuser.query(
      `create table if not exists ${hourOf(from)} partition of request_records
       for values from ('${firstUuidAt(from)}') to ('${firstUuidAt(from + HOUR_MS)}')`,
    );
  }
  await superuser.query('reset role');
}

export interface StoredRecord {
  request_id: string;
  atMs: number;
  status: number | null;
  problem_code: string | null;
  operation_id: string | null;
  method: string;
  path: string;
  key_id: string;
  server_id: string | null;
  trace_id: string | null;
  duration_us: number;
  simulated: string | null;
}

export async function store(sandbox: Sandbox, appId: string, records: readonly StoredRecord[]): Promise<void> {
  await sandbox.database.superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, problem_code, operation_id, method,
       path, key_id, server_id, trace_id, simulated, response_bytes)
     select $1, request_id, to_timestamp("atMs" / 1000.0), duration_us, 100, status, problem_code, operation_id, method, path,
       key_id, server_id, trace_id, simulated, 12
     from json_to_recordset($2) as r (request_id uuid, "atMs" float8, duration_us int, status int2, problem_code text,
       operation_id text, method text, path text, key_id uuid, server_id uuid, trace_id text, simulated text)`,
    [appId, JSON.stringify(records)],
  );
}

/** Stores this many calls of one operation, one per millisecond. The first call has another operation and method. */
export async function storeMany(sandbox: Sandbox, appId: string, fromMs: number, count: number): Promise<void> {
  await sandbox.database.superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, operation_id, method, path,
       response_bytes)
     select $1, overlay(uuid_floor(to_timestamp(($2::float8 + i) / 1000))::text placing '7000-8000' from 15)::uuid,
       to_timestamp(($2::float8 + i) / 1000), 900, 100, 200, case when i = 0 then 'getTicket' else 'listServers' end,
       case when i = 0 then 'POST' else 'GET' end,
       '/v1/servers', 12
     from generate_series(0, $3::int - 1) i`,
    [appId, fromMs, count],
  );
}
