// The SQL for the authority of a request that is no delivery.
import type { Queryable } from '../../../kit/db/db.ts';
import { sql } from '../../../kit/db/sql.ts';
import {
  type DeliveryAuthorityRow,
  deliveringKeyId,
  deliveryAuthority,
  LIVE_PREVIOUS_SECRET,
  type SealedSecretsRow,
} from '../../webhooks/index.ts';

interface ProbeTargetRow extends DeliveryAuthorityRow, SealedSecretsRow {
  key_id: string;
  url: string;
  sealed_headers: Buffer | null;
  epoch: number;
  key_life_ms: number;
}

/** Returns the endpoint with its current authority and, in the same snapshot, the app's count of stops. */
export function findProbeTarget(db: Queryable, appId: string, endpointId: string): Promise<ProbeTargetRow | undefined> {
  return db.first(sql`
    select e.endpoint_id, k.key_id, e.url, e.sealed_secret, ${LIVE_PREVIOUS_SECRET}, e.sealed_headers,
      coalesce(s.epoch, 0) as epoch,
      (extract(epoch from least(k.expires_at, k.ends_at) - clock_timestamp()) * 1000)::float8 as key_life_ms,
      ${deliveryAuthority(sql`e.app_id`, sql`null::uuid`, sql`null::text`)}
    from endpoints e
    join keys k on k.app_id = e.app_id and k.key_id = ${deliveringKeyId}
    join apps a on a.app_id = e.app_id
    left join stop_epochs s on s.app_id = e.app_id
    where e.app_id = ${appId} and e.endpoint_id = ${endpointId}`);
}
