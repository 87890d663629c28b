// Reads the activity of a key, part by part, and describes it.
import { addKeyActivity, type KeyActivity } from '@slipway/sdk/management';
import { unvalidated } from './command.ts';
import { counted } from './forecast.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

/** Returns the sum of all parts. On a terminal, prints the progress of a long read on stderr. */
export async function readActivity(io: Io, session: Session, keyId: string, since: unknown): Promise<KeyActivity> {
  const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id, keyId };
  const input = { ...at, ...(since !== undefined && { since: unvalidated<string>(since) }) };
  for (let sum: KeyActivity | undefined; ; ) {
    const cursor = sum?.nextCursor ?? undefined;
    sum = addKeyActivity(sum, await session.lookup.getKeyActivity({ ...input, ...(cursor && { cursor }) }));
    if (sum.nextCursor === null) return sum;
    if (io.isTerminal) io.err(`Read ${Math.floor(sum.progress * 100)} % of the records.\n`);
  }
}

/** Returns the sum and its gaps as lines of text. */
export function activityLines(activity: KeyActivity): string[] {
  const { since, requests, lostRecords, writesWithoutEvent, oldestRecordAt } = activity;
  const oldest =
    oldestRecordAt === null ? 'The period has no recorded request.' : `The oldest record is of ${oldestRecordAt}.`;
  return [
    `${counted(requests, 'request')} since ${since}. ${oldest}`,
    'Records do not state which objects a read returned.',
    ...(lostRecords > 0 ? [`The records of ${counted(lostRecords, 'request')} of the app were lost.`] : []),
    ...(writesWithoutEvent > 0 ? [`For ${counted(writesWithoutEvent, 'change')}, no event is stored.`] : []),
  ];
}
