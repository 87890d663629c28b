// The SQL of the outbox.
import type { Queryable } from '../../kit/db.ts';
import { newUuid } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { type NewMessage, subjectOf } from './message.ts';

/** Queues a message in the caller's transaction: it is sent when that commits, and never if it does not. */
export async function queueMail(tx: Queryable, { to, subject, text }: NewMessage): Promise<void> {
  await tx.query(sql`insert into outbox (message_id, recipient, subject, text)
    values (${newUuid()}, ${to}, ${subjectOf(subject)}, ${text})`);
}
