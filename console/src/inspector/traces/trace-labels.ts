// Converts a trace into ordered steps with their offset from the arrival. Pure functions.
import type { Trace } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { formatMs } from '../../kit/time.ts';

type TracedEvent = Trace['events'][number];
type TracedDelivery = TracedEvent['deliveries'][number];
type TracedAttempt = TracedDelivery['attempts'][number];

interface StepTime {
  key: string;
  /** Start of the step. */
  at: string;
  /** Milliseconds since the first step. */
  offsetMs: number;
}
export type Step = StepTime &
  (
    | { kind: 'request'; request: NonNullable<Trace['request']> }
    | { kind: 'event'; event: TracedEvent }
    | { kind: 'delivery'; delivery: TracedDelivery }
    | { kind: 'attempt'; attempt: TracedAttempt; deliveryId: string }
  );

export function stepsOf({ request, events }: Trace): Step[] {
  // The time of a record is that of the response.
  const arrivedMs = request ? Date.parse(request.at) - request.durationMs : undefined;
  const firstMs = arrivedMs ?? Date.parse(events[0]?.occurredAt ?? '');
  // Clocks of different processes can differ slightly.
  const when = (key: string, at: string): StepTime => ({ key, at, offsetMs: Math.max(0, Date.parse(at) - firstMs) });
  const ofDelivery = (delivery: TracedDelivery): Step[] => [
    { ...when(delivery.id, delivery.createdAt), kind: 'delivery', delivery },
    ...delivery.attempts.map((attempt): Step => {
      const moment = when(`${delivery.id}/${attempt.number}`, attempt.startedAt);
      return { ...moment, kind: 'attempt', attempt, deliveryId: delivery.id };
    }),
  ];
  return [
    ...(request ? [{ ...when(request.id, request.at), offsetMs: 0, kind: 'request' as const, request }] : []),
    ...events.flatMap((event): Step[] => [
      { ...when(event.id, event.occurredAt), kind: 'event', event },
      ...event.deliveries.flatMap(ofDelivery),
    ]),
  ];
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

export function formatOffset(ms: number): string {
  if (ms === 0) return 'start';
  for (const [name, size] of UNITS) if (ms >= 2 * size) return `+ ${Math.floor(ms / size)} ${name}`;
  return `+ ${formatMs(ms)}`;
}

/** Names the cause of an event that no request caused. */
export const causeWithoutRequest = (actor: string | null): string =>
  actor ?? (IS_PRODUCTION ? 'the upstream API' : 'the sandbox data');

/** Names the cause of a trace that begins with an event and not with a request of the inspector. */
export function causeOf({ requestId, events }: Trace): string {
  return requestId === null ? causeWithoutRequest(events[0]?.actor ?? null) : `the request ${requestId}`;
}

export function causeSentence(trace: Trace): string {
  const { requestId, events } = trace;
  if (requestId !== null) return `The request that caused it (${requestId}) is not in the inspector.`;
  if (events[0]?.actor) return `${events[0].actor} caused it from the Console or through the management API.`;
  return IS_PRODUCTION
    ? 'No request caused it: the upstream API reported it.'
    : 'No request caused it: the sandbox data changed over time.';
}
