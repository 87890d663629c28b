// Applies the journal to a restored database: every line after the last line that the database has recorded.

import { openTenant, setChangeAuthor, setOrganisation, unitOfWork } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { applyRevocation, findOrganisationOf } from './apply-journal-store.ts';
import {
  isSameJournalPosition,
  JournalError,
  type JournalLine,
  type JournalPosition,
  REVOCATION_KINDS,
  type RevocationKind,
} from './journal.ts';

const BATCH = 200;

/**
 * Returns the lines after a position. Rejects a journal that does not continue the backup, or with a later line of a
 * kind that this version cannot apply.
 */
export function linesAfter(position: JournalPosition | null, lines: readonly JournalLine[]): readonly JournalLine[] {
  if (position === null)
    throw new JournalError('The backup was taken before the journal began. Run the command without --journal.');
  if (!isSameJournalPosition(lines[position.n - 1], position)) {
    throw new JournalError(
      `The journal does not continue the backup: it lacks the line ${position.n} that the database notes. Run the command without --journal.`,
    );
  }
  const later = lines.slice(position.n);
  const unknown = later.find(({ kind }) => !(REVOCATION_KINDS as readonly string[]).includes(kind));
  if (unknown)
    throw new JournalError(
      `Line ${unknown.n} of the journal has the kind \`${unknown.kind}\`, which this version of Slipway does not know. Run the command of the version that wrote the line or of a later one, or run it without --journal.`,
    );
  return later;
}

/** Applies the lines. Returns how many lines removed access, by kind. */
export async function applyJournal(
  owner: Database,
  manager: Database,
  lines: readonly JournalLine[],
  actor: string,
): Promise<Partial<Record<RevocationKind, number>>> {
  const total: Partial<Record<RevocationKind, number>> = {};
  const ofApps = new Map<string, JournalLine[]>();
  for (const line of lines) ofApps.set(line.app, [...(ofApps.get(line.app) ?? []), line]);
  for (const [appId, ofApp] of ofApps) {
    const organisationId = await findOrganisationOf(owner, appId);
    // The app was registered after the backup.
    if (organisationId === undefined) continue;
    for (let at = 0; at < ofApp.length; at += BATCH) {
      const appliedKinds = await applyBatch(manager, organisationId, appId, ofApp.slice(at, at + BATCH), actor);
      for (const kind of appliedKinds) total[kind] = (total[kind] ?? 0) + 1;
    }
  }
  return total;
}

function applyBatch(
  manager: Database,
  organisationId: string,
  appId: string,
  lines: readonly JournalLine[],
  actor: string,
): Promise<RevocationKind[]> {
  const operator = { kind: 'operator', id: null, name: actor } as const;
  return unitOfWork(manager, { organisationId, appId, actor: operator }, async ({ tx, audit }) => {
    setOrganisation(tx, organisationId);
    setChangeAuthor(tx, { actor, requestUuid: newUuid() });
    const tenant = openTenant(tx, appId);
    const appliedKinds: RevocationKind[] = [];
    for (const line of lines) if (await applyRevocation(tenant, line, actor)) appliedKinds.push(line.kind);
    if (appliedKinds.length > 0) audit('restore.apply_journal', toId('app', appId), { lines: appliedKinds.length });
    return appliedKinds;
  });
}
