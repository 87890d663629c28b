// Sends the messages in the outbox. Several processes may run it: each claims messages for itself, and the messages of
// a crashed process become due again.

import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { addressOf, type Mail, type Smtp } from '../../kit/outbound/smtp.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import { decideRetry } from './retry-decision.ts';
import { type ClaimedRow, claimMessages, eraseOldMessages, markFailed, markSent, markWaiting } from './store.ts';

interface MailOptions {
  db: Database;
  /** Undefined if no mail server is configured: then nothing is sent, and the operator reads the outbox. */
  smtp: Smtp | undefined;
  from: string;
  onError(error: unknown): void;
}

const PAUSE_MS = 1_000;
const AT_ONCE = 5;
// Longer than the longest attempt.
const CLAIM_SECONDS = 120;

export function startMail(options: MailOptions): { stop(): Promise<void> } {
  const loop = startLoop(() => runMail(options), PAUSE_MS, options.onError);
  return {
    stop() {
      options.smtp?.close();
      return loop.stop();
    },
  };
}

/** Sends messages until none is due. */
export async function runMail({ db, smtp, from }: MailOptions): Promise<void> {
  await eraseOldMessages(db);
  if (!smtp) return;
  for (;;) {
    const rows = await claimMessages(db, AT_ONCE, CLAIM_SECONDS);
    if (rows.length === 0) return;
    await Promise.all(rows.map((row) => traceJob('mail', () => sendOne(db, smtp, row, from))));
  }
}

async function sendOne(db: Database, smtp: Smtp, row: ClaimedRow, from: string): Promise<void> {
  const outcome = await smtp.send(toMail(row, from));
  if (outcome.kind === 'sent') return markSent(db, row);
  const verdict = decideRetry(row.attempts, outcome.isPermanent);
  if (verdict.kind === 'given up') return markFailed(db, row, outcome.detail);
  return markWaiting(db, row, outcome.detail, verdict.retryInSeconds);
}

function toMail({ message_id, recipient, subject, text }: ClaimedRow, from: string): Mail {
  const domain = addressOf(from).split('@').at(-1);
  return { messageId: `<${toId('msg', message_id)}@${domain}>`, from, to: recipient, subject, text };
}
