// Answers requests for links outside of the request. Only the mail reveals whether an account or an invitation exists,
// and each request takes the same time.

import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database, Transaction } from '../../kit/db/db.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { inviteAgain } from '../organisations/index.ts';
import type { Identity } from '../sessions/index.ts';
import { mailOfNewAccount, mailOfPresentAccount, mailOfReset } from './mails.ts';
import { maySignUp } from './may-sign-up.ts';
import { eraseOldRequests, insertLink, type LinkRequestRow, takeLinkRequest } from './store.ts';

export interface LinkOptions {
  db: Database;
  identity: Identity;
  consoleUrl: string;
  onError(error: unknown): void;
}

const PAUSE_MS = 1_000;

export function startLinks(options: LinkOptions): { stop(): Promise<void> } {
  return startLoop(() => runLinks(options), PAUSE_MS, options.onError);
}

/** Runs once, until no request waits. */
export async function runLinks(options: LinkOptions): Promise<void> {
  await eraseOldRequests(options.db);
  while (await options.db.transaction((tx) => answerNext(tx, options)));
}

async function answerNext(tx: Transaction, options: LinkOptions): Promise<boolean> {
  const request = await takeLinkRequest(tx);
  if (request && !request.is_too_often) await answer(tx, request, options);
  return request !== undefined;
}

async function answer(tx: Transaction, { purpose, email }: LinkRequestRow, options: LinkOptions): Promise<void> {
  const { consoleUrl, identity } = options;
  const person = await identity.findPerson(email);
  const link = (minutes: number): Promise<Secret> => insertLink(tx, { purpose, email, minutes });
  if (purpose === 'password_reset') {
    if (person) await queueMail(tx, mailOfReset(email, consoleUrl, await link(60)));
  } else if (person) await queueMail(tx, mailOfPresentAccount(email, consoleUrl));
  else if (await maySignUp(tx, email)) {
    await queueMail(
      tx,
      mailOfNewAccount(email, consoleUrl, await link(24 * 60), await inviteAgain(tx, email, consoleUrl)),
    );
  }
}
