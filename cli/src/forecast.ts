// Prints what a change would break, by the stored records of at most 30 days. The change itself is not made.
import { SlipwayProblem } from '@slipway/sdk';
import { type AccessChangeInput, type AccessForecast, forecastParts } from '@slipway/sdk/management';
import { CommandError } from './errors.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

/** Forecasts the change. On a terminal, prints the progress of a long forecast on stderr. */
export async function readForecast(io: Io, session: Session, change: AccessChangeInput): Promise<AccessForecast> {
  const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id };
  let body = change;
  for (;;) {
    // The client that looks things up also runs in a dry run: a forecast changes nothing.
    const forecast = await session.lookup.forecastAccess({ ...at, body });
    if (forecast.nextCursor === null) return forecast;
    if (io.isTerminal) io.err(`Examined ${Math.floor(forecast.progress * 100)} % of the records.\n`);
    body = { ...change, cursor: forecast.nextCursor };
  }
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
const newest = (id: string | null): string => (id === null ? '' : ` (newest ${id})`);

const deliveriesOf = (count: number): string => counted(count, 'delivery', 'deliveries');

/** Returns the forecast of the change as lines of text. */
export function forecastLines(change: AccessChangeInput, forecast: AccessForecast): string[] {
  const { requests, deliveries } = forecast;
  const parts = forecastParts(change);
  const keys =
    requests.keys.length > 0
      ? ` of ${requests.isKeyListComplete ? '' : 'more than '}${counted(requests.keys.length, 'key')}`
      : '';
  const stopped = (['skipped', 'held'] as const)
    .filter((kind) => kind === parts.deliveries || deliveries[kind] > 0)
    .map((kind) => `${kind} ${deliveriesOf(deliveries[kind])}`);
  const refused = `refused ${counted(requests.refused, 'request')}${keys}${newest(requests.newestId)}`;
  const effects = [
    ...(parts.requests ? [{ since: requests.since, effect: refused }] : []),
    ...(stopped.length > 0
      ? [{ since: deliveries.since, effect: `${stopped.join(' and ')}${newest(deliveries.newestId)}` }]
      : []),
  ];
  return [
    ...effects.map(({ since, effect }) => `Since ${since}, the change would have ${effect}.`),
    ...(deliveries.unknown > 0 ? [`For ${deliveriesOf(deliveries.unknown)}, the event is no longer stored.`] : []),
    ...(parts.requests ? requestGapLines(forecast) : []),
  ];
}

/** Returns what the records do not answer about requests. */
function requestGapLines({ requests, lostRecords, oldestRecordAt }: AccessForecast): string[] {
  const { shortened, unknown } = requests;
  return [
    ...(shortened > 0 ? [`${counted(shortened, 'list')} would have left out a server.`] : []),
    ...(unknown > 0 ? [`The records do not answer the question for ${counted(unknown, 'request')}.`] : []),
    ...(lostRecords > 0 ? [`The records of ${counted(lostRecords, 'request')} of the period were lost.`] : []),
    ...(oldestRecordAt === null ? ['The period has no recorded request.'] : []),
  ];
}

/** Prints the forecast on stderr. A dry run continues without it if it is refused, for example to a read-only token. */
export async function printForecast(
  io: Io,
  session: Session,
  change: AccessChangeInput | Promise<AccessChangeInput>,
): Promise<void> {
  const forecast = Promise.resolve(change).then(async (known) =>
    forecastLines(known, await readForecast(io, session, known)),
  );
  const lines = await forecast.catch((error: unknown) => {
    if (error instanceof SlipwayProblem || error instanceof CommandError) return [`No forecast: ${error.message}`];
    throw error;
  });
  io.err(`${lines.join('\n')}\n`);
}
