import type { Queryable } from '../../kit/db/db.ts';
import { addToDestinations, type SentNotice } from '../notice-destinations/index.ts';
import { toMailText } from './message.ts';
import { addToMails } from './store.ts';

/** Adds the notice to the next mails and messages of the members and destinations that receive it. */
export async function announceNotice(
  tx: Queryable,
  { createdBy, ...sent }: SentNotice & { createdBy: string },
): Promise<void> {
  const { organisationId, environment, kind, cause } = sent;
  await addToMails(tx, { organisationId, environment, kind, cause, createdBy, message: toMailText(sent.message) });
  await addToDestinations(tx, sent);
}
