// Reports to the app every change of a grant in a transaction. The events are derived from the history that triggers
// write, so the cause of a change does not matter.

import type { DeliveryEnqueuer, TenantWork } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type EventType, emitEvent } from '../../resources/events/index.ts';
import { countEvents, listTransactionChanges } from './change-store.ts';
import { type ChangedGrant, type GrantChangeEvent, toGrantChangeEvents } from './scope-change.ts';

const TYPES = ['installation.paused', 'installation.resumed', 'installation.scope_changed'] as const;

/**
 * The number of events in one message to Postgres. It limits the number of round trips of a change of thousands of
 * installations.
 */
const EVENTS_PER_BATCH = 100;

interface NumberedGrantEvent {
  grant: ChangedGrant;
  change: GrantChangeEvent;
  sequence: number;
}

export interface EmittedEvent {
  type: EventType;
  body: string;
}

/**
 * Emits the events of every grant that this transaction changed. Call it once, after the last change. The caller must
 * hold the locks of the servers. `ended` contains the last event number of each installation that the transaction
 * deleted.
 */
export async function emitGrantEvents(
  { tenant, plane, wakeWorkers }: Pick<TenantWork, 'tenant' | 'plane' | 'wakeWorkers'>,
  ended: ReadonlyMap<string, number> = new Map(),
): Promise<EmittedEvent[]> {
  // Both queries share one round trip with the changes that the caller has issued.
  const [changed, prepared] = await Promise.all([listTransactionChanges(tenant), prepareDeliveries()]);
  const events = changed.flatMap((grant) => numberEvents(grant, ended));
  if (events.length === 0) return [];
  wakeWorkers();
  countEvents(tenant, listLastSequences(events));
  const emitted: EmittedEvent[] = [];
  let enqueues = prepared;
  for (let at = 0; at < events.length; at += EVENTS_PER_BATCH) {
    if (at > 0) enqueues = await prepareDeliveries();
    emitted.push(...(await Promise.all(events.slice(at, at + EVENTS_PER_BATCH).map(emit))));
  }
  return emitted;

  async function prepareDeliveries(): Promise<Map<EventType, DeliveryEnqueuer>> {
    const enqueueByType = TYPES.map(
      async (type) => [type, await plane.deliveries.prepare(tenant, { type, serverId: null })] as const,
    );
    return new Map(await Promise.all(enqueueByType));
  }

  async function emit({ grant, change, sequence }: NumberedGrantEvent): Promise<EmittedEvent> {
    const subject = { uuid: grant.installation_id, id: toId('ins', grant.installation_id) };
    const draft = { ...change, serverId: grant.server_id, subject, sequence, requestId: null };
    return { type: change.type, body: await emitEvent(tenant, plane, draft, enqueues.get(change.type)) };
  }
}

function numberEvents(grant: ChangedGrant, ended: ReadonlyMap<string, number>): NumberedGrantEvent[] {
  const last = grant.event_sequence ?? ended.get(grant.installation_id) ?? 0;
  return toGrantChangeEvents(grant).map((change, nth) => ({ grant, change, sequence: last + 1 + nth }));
}

function listLastSequences(events: readonly NumberedGrantEvent[]): { installationId: string; last: number }[] {
  const last = new Map(events.map(({ grant, sequence }) => [grant.installation_id, sequence]));
  return [...last].map(([installationId, sequence]) => ({ installationId, last: sequence }));
}
