// Triggers an event in the sandbox, and waits until the app's endpoints have received it.
import type { Delivery, EventTrigger, Trace } from '@slipway/sdk/management';
import { type CommandSpec, count, type Invocation, number, option, paths, unvalidated } from '../command.ts';
import { CommandError } from '../errors.ts';
import { printOne } from '../output.ts';
import { pause } from '../pause.ts';
import { printTarget } from '../perform.ts';
import type { Session } from '../session.ts';
import { escapeText } from '../text.ts';

const POLL_MS = 250;
const WAIT_SECONDS = 60;

type TracedDelivery = Trace['events'][number]['deliveries'][number];

export const trigger: readonly CommandSpec[] = [
  {
    name: '',
    args: '<type>',
    isSandboxOnly: true,
    summary: 'trigger an event of this type, with the change that causes it',
    example: 'trigger ticket.created --set subject=Hello --wait',
    options: [
      option('--object-id <id>', 'object of the event, such as a ticket or its server (the newest that fits)'),
      option(
        '--set <path=value>',
        'a field of the event; repeat the option for each: subject=Hello, metadata.source=form, title=News, status=shipped, scope=roadmap:read, state=paused, input={"count":2}',
        paths,
      ),
      option('--repeat <times>', 'number of events, one after another (1)', count),
      option(
        '--wait [seconds]',
        `wait until all deliveries of the event have ended, at most this long (${WAIT_SECONDS}); fail unless each succeeded, or the filter of its endpoint withheld the event`,
        number,
      ),
    ],
    async run(call) {
      const { io, args, options, form } = call;
      const session = await call.session();
      const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id };
      const body = unvalidated<EventTrigger>({ type: args.type, objectId: options.objectId, set: options.set });
      await printTarget(call, session, true);
      const times = (options.repeat as number | undefined) ?? 1; // parsed by `count`
      const missed: TracedDelivery[] = [];
      for (let time = 0; time < times; time += 1) {
        if (time > 0 && io.isTerminal && !form.json) io.out('\n');
        const event = await session.api.triggerEvent({ ...at, body });
        if (options.wait === undefined) printOne(io, event, form);
        else {
          const deliveries = await waitFor(call, session, { ...at, tracedId: event.id });
          const filtered = deliveries.filter(isFiltered);
          if (filtered.length > 0) io.err(`slipway: ${summariseStatuses(filtered)}.\n`);
          missed.push(...deliveries.filter((one) => one.status !== 'succeeded' && !isFiltered(one)));
          printOne(io, { ...event, deliveries }, form);
        }
      }
      if (missed.length > 0) throw new CommandError(`not every delivery succeeded: ${summariseStatuses(missed)}.`);
    },
  },
];

/** Resolves with the deliveries of the event when none is pending any more, or after the time limit. */
async function waitFor(
  { io, options }: Invocation,
  { api }: Session,
  traced: { organisationId: string; appId: string; tracedId: string },
): Promise<TracedDelivery[]> {
  const seconds = options.wait === true ? WAIT_SECONDS : Number(options.wait);
  const endMs = Date.now() + seconds * 1000;
  for (;;) {
    const { events } = await api.getTrace(traced);
    const deliveries = events.find(({ id }) => id === traced.tracedId)?.deliveries ?? [];
    if (deliveries.length === 0) io.err('slipway: no endpoint receives this type.\n');
    if (deliveries.every(({ status }) => !isUndelivered(status)) || Date.now() > endMs) return deliveries;
    await pause(POLL_MS, io.interrupted);
  }
}

const STATUS_PHRASES: Readonly<Record<string, readonly [one: string, more: string]>> = {
  pending: ['is still being tried', 'are still being tried'],
  held: ['is held back', 'are held back'],
  failed: ['failed', 'failed'],
  cancelled: ['was cancelled', 'were cancelled'],
  skipped: ['was skipped', 'were skipped'],
};

/**
 * Returns how many deliveries have each status, with its reason: `1 is still being tried, 2 were skipped
 * (endpoint_disabled)`.
 */
export function summariseStatuses(deliveries: readonly Pick<TracedDelivery, 'status' | 'reason'>[]): string {
  const counts = new Map<string, { status: string; reason: string | null; times: number }>();
  for (const { status, reason } of deliveries) {
    const counted = counts.get(`${status} ${reason}`) ?? { status, reason, times: 0 };
    counts.set(`${status} ${reason}`, { ...counted, times: counted.times + 1 });
  }
  const phrases = [...counts.values()].map(({ status, reason, times }) => {
    const [one, more] = STATUS_PHRASES[status] ?? [`is ${status}`, `are ${status}`]; // a newer API can have further statuses
    return escapeText(`${times} ${times === 1 ? one : more}${reason === null ? '' : ` (${reason})`}`);
  });
  return phrases.join(', ');
}

const isUndelivered = (status: Delivery['status']): boolean => status === 'pending' || status === 'held';
const isFiltered = ({ reason }: TracedDelivery): boolean => reason === 'filtered';
