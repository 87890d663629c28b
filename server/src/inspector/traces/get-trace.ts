import { allowAppManagement, requireAction, type Tenant } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRequestRow, toRequestRecord } from '../requests/index.ts';
import {
  findEventOfDelivery,
  findEventRow,
  findReadableBodies,
  listCausedEvents,
  listTracedAttempts,
  listTracedDeliveries,
} from './store.ts';
import {
  causingRequestId,
  exampleTrace,
  TRACE_LIMITS,
  Trace,
  type TracedEventRow,
  toEvents,
  toPayloads,
  traceParams,
} from './trace.ts';

export const getTrace = operation({
  id: 'getTrace',
  route: 'GET /organisations/{organisationId}/apps/{appId}/traces/{tracedId}',
  tag: 'Requests',
  summary: 'Get a trace',
  description:
    'Returns a request with the events that it caused, their deliveries and attempts. The identifier of an event or of a delivery returns the same trace, from the request that caused it.',
  access: allowAppManagement('requests.read'),
  params: traceParams,
  replies: ok('The trace.', Trace, { aTicket: exampleTrace }),
  async run({ tenant, actor }, { params }) {
    requireAction(actor.role, 'deliveries.read');
    const event = await findTracedEvent(tenant, params.tracedId);
    const requestId = event ? causingRequestId(event) : params.tracedId;
    const requestUuid = requestId === null ? undefined : fromId('req', requestId);
    const [request, caused] = requestUuid
      ? await Promise.all([findRequestRow(tenant, requestUuid), listCausedEvents(tenant, requestUuid)])
      : [undefined, []];
    const isAmong = caused.some((one) => one.event_id === event?.event_id);
    const events = event && !isAmong ? [event, ...caused] : caused;
    if (!request && events.length === 0) throw problem('not_found');
    const deliveries = await listTracedDeliveries(
      tenant,
      events.map((one) => one.event_id),
    );
    const attempts = await listTracedAttempts(
      tenant,
      deliveries.map((one) => one.delivery_id),
    );
    const isTruncated =
      events.length > TRACE_LIMITS.events ||
      deliveries.length > TRACE_LIMITS.deliveries ||
      attempts.length > TRACE_LIMITS.attempts;
    const isAskedFor = event !== undefined && params.tracedId.startsWith('evt_');
    const bodies = isAskedFor ? await findReadableBodies(tenant, event.event_id) : undefined;
    const body: Trace = {
      requestId,
      request: request ? toRequestRecord(request) : null,
      events: toEvents(events, deliveries, attempts),
      payloads: bodies ? toPayloads(bodies) : null,
      isTruncated,
    };
    return { status: 200, body };
  },
});

/** Returns the event itself or the event of the delivery; undefined for a request. */
async function findTracedEvent(tenant: Tenant, tracedId: string): Promise<TracedEventRow | undefined> {
  const [eventId, deliveryId] = [fromId('evt', tracedId), fromId('dlv', tracedId)];
  if (eventId === undefined && deliveryId === undefined) return undefined;
  const event = await (eventId ? findEventRow(tenant, eventId) : deliveryId && findEventOfDelivery(tenant, deliveryId));
  if (!event) throw problem('not_found');
  return event;
}
