// The Console's part of `slipway-server reopen`. This part removes all access except that of the owners whom the
// operator names.
import { existsSync } from 'node:fs';
import { ConfigError } from '../config/config.ts';
import { insertOperatorAction } from '../governance/operators/index.ts';
import { newUuid } from '../kit/crypto/ids.ts';
import type { Database } from '../kit/db/db.ts';
import { withDatabase } from '../kit/db/short-lived-database.ts';
import {
  countConsoleAccess,
  countWithoutOwner,
  type OrganisationOwner,
  OwnersFileError,
  openConsoleGate,
  REOPENED_BY,
  readOwners,
  resendEveryStatus,
  revokeConsoleAccess,
  writeOwners,
} from '../platform/restore-gate/index.ts';
import { type CountLabels, describeDone, describePlan } from './count-texts.ts';

const CONSOLE_LABELS: CountLabels = {
  sessions: ['end', 'sessions', 'ended'],
  tokens: ['revoke', 'access tokens', 'revoked'],
  links: ['void', 'sign-in links', 'voided'],
  providerLinks: ['remove', 'provider links', 'removed'],
  invitations: ['revoke', 'invitations', 'revoked'],
  members: ['suspend', 'members', 'suspended'],
  owners: ['suspend', 'owners', 'suspended'],
  removals: ['cancel', 'removals of a second factor', 'cancelled'],
  operators: ['remove', 'operators', 'removed'],
};

const OWNERS_REQUIRED =
  'The backup may name owners who are no owners any more. Run the command with --owners FILE and without --yes: it writes the owners to FILE. Delete the lines of former owners, and run the command with --owners FILE --yes.';

/** Reads the file of owners, before any database is changed. Without --yes it writes the file if there is none. */
export function prepareConsole(
  url: string,
  file: string | undefined,
  isConfirmed: boolean,
): Promise<() => Promise<string>> {
  return withDatabase({ url }, async (db) => {
    if (file === undefined) {
      if (isConfirmed) throw new ConfigError(OWNERS_REQUIRED);
      return count(db, [], '--owners FILE names the owners who stay');
    }
    const isNew = !existsSync(file);
    if (isNew && isConfirmed)
      throw new ConfigError(`There is no file ${file}. Without --yes the command writes the owners to it.`);
    if (isNew) await writeOwners(db, file).catch(refuseUnusable);
    const owners = await readOwners(db, file).catch(refuseUnusable);
    if (isNew) return count(db, owners, `The owners are in ${file}: delete the lines of former owners`);
    const without = await countWithoutOwner(db, owners);
    const note = `${without} organisations without an owner`;
    return isConfirmed ? () => reopenConsole(url, owners, note) : count(db, owners, note);
  });
}

async function count(db: Database, owners: readonly OrganisationOwner[], note: string): Promise<() => Promise<string>> {
  const counts = await countConsoleAccess(db, owners);
  return async () => `${describePlan(counts, CONSOLE_LABELS)}. ${note}`;
}

function refuseUnusable(error: unknown): never {
  throw error instanceof OwnersFileError ? new ConfigError(error.message, { cause: error }) : error;
}

const reopenConsole = (url: string, owners: readonly OrganisationOwner[], note: string): Promise<string> =>
  withDatabase({ url }, async (db) => {
    const revoked = await revokeConsoleAccess(db, owners);
    await resendEveryStatus(db);
    await confirm(db, { ...revoked });
    return `${describeDone(revoked, CONSOLE_LABELS)}. ${note}. The gate is open.`;
  });

const confirm = (db: Database, detail: Record<string, unknown>): Promise<void> =>
  db.transaction(async (tx) => {
    const entry = { operator: REOPENED_BY, action: 'console.reopen', target: 'console', detail };
    await insertOperatorAction(tx, { actionId: newUuid(), ...entry });
    await openConsoleGate(tx);
  });
