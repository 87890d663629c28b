// The SQL of the notice of a member who enables an endpoint that a notice reported.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { insertNotice, type NoticedKey } from '../../platform/notices/index.ts';

/**
 * Writes a notice of a recovered endpoint if the latest notice of its failures is of a failure: the alert that the notice
 * caused would otherwise stay open. The notice has the key and the host of that notice.
 */
export async function noticeRecovery(tenant: Tenant, organisationId: string, endpointId: string): Promise<void> {
  const latest = await tenant.first<NoticedKey & { kind: string; endpoint_host: string | null }>(sql`
    select organisation_id, app_id, key_id, app_name, key_name as name, kid, key_created_by as created_by, expires_at, kind,
      endpoint_host
    from notices
    where organisation_id = ${organisationId} and app_id = ${tenant.appId} and endpoint_id = ${endpointId}
      and kind in ('endpoint_failing', 'endpoint_disabled', 'delivery_exhausted', 'endpoint_recovered')
    order by notice_id desc limit 1`);
  if (!latest || latest.kind === 'endpoint_recovered') return;
  await insertNotice(tenant, latest, {
    kind: 'endpoint_recovered',
    endpoint: { endpointId, host: latest.endpoint_host ?? '' },
  });
}
