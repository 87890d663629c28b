// Answers requests for links outside of the request. Only the mail reveals whether an account or an invitation exists,
// and each request takes the same time.

import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database, Transaction } from '../../kit/db/db.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { createInvitationText } from '../organisations/index.ts';
import type { Identity } from '../sessions/index.ts';
import { composeExistingAccountMail, composeNewAccountMail, composePasswordResetMail } from './mails.ts';
import { maySignUp } from './sign-up-permission.ts';
import { eraseOldRequests, insertLink, type LinkRequestRow, takeLinkRequest } from './store.ts';

interface LinkJobOptions {
  db: Database;
  identity: Identity;
  consoleUrl: string;
  onError(error: unknown): void;
}

const PAUSE_MS = 1_000;

export function startLinks(options: LinkJobOptions): { stop(): Promise<void> } {
  return startLoop(() => sendRequestedLinks(options), PAUSE_MS, options.onError);
}

/** Runs once, until no request waits. */
export async function sendRequestedLinks(options: LinkJobOptions): Promise<void> {
  await eraseOldRequests(options.db);
  while (await options.db.transaction((tx) => processNextRequest(tx, options)));
}

async function processNextRequest(tx: Transaction, options: LinkJobOptions): Promise<boolean> {
  const request = await takeLinkRequest(tx);
  if (request && !request.is_too_often) await processRequest(tx, request, options);
  return request !== undefined;
}

async function processRequest(
  tx: Transaction,
  { purpose, email }: LinkRequestRow,
  options: LinkJobOptions,
): Promise<void> {
  const { consoleUrl, identity } = options;
  const person = await identity.findPerson(email);
  const link = (minutes: number): Promise<Secret> => insertLink(tx, { purpose, email, minutes });
  if (purpose === 'password_reset') {
    if (person) await queueMail(tx, composePasswordResetMail(email, consoleUrl, await link(60)));
  } else if (person) await queueMail(tx, composeExistingAccountMail(email, consoleUrl));
  else if (await maySignUp(tx, email)) {
    await queueMail(
      tx,
      composeNewAccountMail(email, consoleUrl, await link(24 * 60), await createInvitationText(tx, email, consoleUrl)),
    );
  }
}
