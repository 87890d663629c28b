// The SQL that reads captures. Run as slipway_manager for an app.
import type { BodyState, Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';

export interface StatusRow {
  captures_since: Date | null;
  request_body: BodyState | null;
  response_body: BodyState | null;
  expires_at: Date | null;
  /** Whether captures were refused in the minute of the response. */
  has_gap: boolean;
  now: Date;
}

export function findStatusRow(tenant: Tenant, requestId: string, at: Date): Promise<StatusRow | undefined> {
  return tenant.first(sql`
    select a.captures_since, c.request_body, c.response_body, k.expires_at, clock_timestamp() as now,
      exists (select from capture_gaps g where g.app_id = a.app_id
        and g.minute between date_trunc('minute', ${at}::timestamptz) and ${at}::timestamptz + interval '1 second') as has_gap
    from apps a
    left join (captures c join capture_keys k on k.app_id = c.app_id and k.key_id = c.key_id
        and k.sealed_key is not null and k.expires_at > clock_timestamp())
      on c.app_id = a.app_id and c.request_id = ${requestId}
    where a.app_id = ${tenant.appId}`);
}

export interface CaptureRow {
  key_id: string;
  sealed_key: Buffer;
  ciphertext: Buffer;
  content_id: Buffer | null;
  content: Buffer | null;
}

/** Returns a capture whose key exists. */
export function findCaptureRow(tenant: Tenant, requestId: string): Promise<CaptureRow | undefined> {
  return tenant.first(sql`
    select k.key_id, k.sealed_key, c.ciphertext, c.content_id, r.ciphertext as content
    from captures c
    join capture_keys k on k.app_id = c.app_id and k.key_id = c.key_id
    left join capture_contents r on r.app_id = c.app_id and r.key_id = c.key_id and r.content_id = c.content_id
    where c.app_id = ${tenant.appId} and c.request_id = ${requestId}
      and k.sealed_key is not null and k.expires_at > clock_timestamp()`);
}
