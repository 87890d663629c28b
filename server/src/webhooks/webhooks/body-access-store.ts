// The SQL that decides whether the management API shows the body of an event. Delivery details, traces, the signature
// diagnosis, the previews of a filter and of a schema version, and the forecast of a filter use these conditions.
import { type Sql, sql } from '../../kit/db/sql.ts';
import { isEventGranted, resourceScopeOf, TYPES_WITHOUT_RESOURCE } from '../../resources/events/index.ts';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from './attempt.ts';

/**
 * True for an outcome whose request could have reached the receiver. Only then may the app already have the body.
 * `dns`, `connect`, `tls` and `blocked_address` end before the first byte of the request. `aborted_by_revoke` can end
 * before it too, and its cause can be that access was revoked, so it does not count.
 */
const COULD_REACH: Readonly<Record<AttemptOutcome, boolean>> = {
  response: true,
  redirect: true,
  protocol: true,
  timeout: true,
  interrupted: true,
  dns: false,
  connect: false,
  tls: false,
  blocked_address: false,
  aborted_by_revoke: false,
};
const REACHING_OUTCOMES = ATTEMPT_OUTCOMES.filter((outcome) => COULD_REACH[outcome]);

/** Selects whether an attempt of this delivery could have reached the receiver. */
export const couldReachReceiver = (appId: Sql, deliveryId: Sql): Sql => sql`exists (
  select from attempts t where t.app_id = ${appId} and t.delivery_id = ${deliveryId}
    and t.outcome = any(${REACHING_OUTCOMES}::text[]))`;

/**
 * Selects whether the app may read event ev now, as in the feed. An event without a resource needs no grant. A test
 * event, with example data for one endpoint, needs none either.
 */
export const isBodyGranted = (appId: Sql): Sql => sql`(ev.only_endpoint_id is not null
  or ev.type = any(${TYPES_WITHOUT_RESOURCE}::text[]) or exists (
    select from installations i where i.app_id = ${appId} and i.server_id = ev.server_id
      and ${isEventGranted(resourceScopeOf(sql`ev.type`), appId)}))`;
