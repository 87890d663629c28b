// Reports the status of an organisation to every environment, and records which of them has confirmed it.

import { consoleActor, isStricter, type OrganisationStatus, unitOfWork } from '../../access/authority/index.ts';
import type { ConsoleServices } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import {
  type OrganisationStatusRow,
  type StatusReceiptRow,
  statusOf,
  toOrganisationStatusUpdate,
} from './organisation-status.ts';
import {
  adoptSuspension,
  eraseOrganisation,
  findOrganisationStatus,
  listReceipts,
  raiseVersion,
  recordReportAttempt,
  upsertReceipt,
} from './store.ts';

export interface OrganisationStatusServices {
  db: Database;
  environments: readonly { name: StatusReceiptRow['environment'] }[];
  askPlanes: ConsoleServices['askPlanes'];
}

/**
 * Reports the status. Returns undefined if the organisation does not exist. The job repeats the report to environments
 * that could not be reached.
 */
export async function reportOrganisationStatus(
  services: OrganisationStatusServices,
  organisationId: string,
): Promise<{ row: OrganisationStatusRow; receipts: StatusReceiptRow[] } | undefined> {
  const { db } = services;
  const row = await findOrganisationStatus(db, organisationId);
  if (!row) return undefined;
  await recordReportAttempt(db, organisationId);
  const path = `/organisations/${toId('org', organisationId)}/standing`;
  const call = { method: 'PUT', path, body: toOrganisationStatusUpdate(row) } as const;
  for (const { environment, status, body } of await services.askPlanes(consoleActor(organisationId), call)) {
    if (status !== 200) continue;
    const received: ReportedStatus = JSON.parse(body); // the response of setOrganisationStatus
    const isStricterThere = received.version === row.version && isStricter(received.standing, statusOf(row));
    if (received.version > row.version || isStricterThere) await adoptLaterStatus(db, row, environment, received);
    else await upsertReceipt(db, organisationId, { environment, version: received.version, apps: received.apps });
  }
  return { row, receipts: await listReceipts(db, organisationId) };
}

interface ReportedStatus {
  version: number;
  standing: OrganisationStatus;
  apps: number;
}

/**
 * Handles an environment with a later version than the Console, or with another status of the same version. The Console
 * was restored, and continues above that version. A stricter status is adopted as a suspension, until an operator
 * resumes the organisation (docs/decisions/0068).
 */
function adoptLaterStatus(
  db: Database,
  row: OrganisationStatusRow,
  environment: string,
  { version, standing: status }: ReportedStatus,
): Promise<void> {
  const { organisation_id: organisationId } = row;
  const actor = { kind: 'machine', id: null, name: 'Slipway Console' } as const;
  return unitOfWork(db, { organisationId, actor }, async ({ tx, audit }) => {
    await raiseVersion(tx, organisationId, version);
    if (status === 'active' || statusOf(row) !== 'active') return;
    const reason = `The ${environment} knows a later status, ${status}, because the Console was restored. An operator must confirm the status.`;
    await adoptSuspension(tx, organisationId, reason);
    audit('organisation.adopt_status', toId('org', organisationId), { environment, standing: status, version });
  });
}

/**
 * Reports the status of an organisation, and erases an organisation that every environment has erased. Returns whether
 * no report about the organisation is left.
 */
export async function reportAndErase(services: OrganisationStatusServices, organisationId: string): Promise<boolean> {
  const pushed = await reportOrganisationStatus(services, organisationId);
  if (!pushed) return true;
  const { row, receipts } = pushed;
  const isErasing = row.erasing_since !== null;
  const isDone = ({ name }: { name: string }): boolean =>
    receipts.some(
      ({ environment, version, apps }) => environment === name && version === row.version && (!isErasing || apps === 0),
    );
  if (services.environments.length === 0 || !services.environments.every(isDone)) return false;
  if (isErasing) await services.db.transaction((tx) => eraseOrganisation(tx, organisationId));
  return true;
}
