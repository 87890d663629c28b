// Tells every environment how an organisation stands now, and notes which of them has confirmed it.
import type { Database } from '../../kit/db.ts';
import { toId } from '../../kit/ids.ts';
import { consoleActor } from '../authority/index.ts';
import type { ConsoleServices } from '../sessions/index.ts';
import { orderOf, type ReceiptRow, type StandingRow } from './standing.ts';
import { eraseOrganisation, findStanding, listReceipts, noteTry, raiseVersion, upsertReceipt } from './store.ts';

export interface StandingServices {
  db: Database;
  environments: readonly { name: ReceiptRow['environment'] }[];
  askPlanes: ConsoleServices['askPlanes'];
}

/** Undefined when there is no such organisation. What could not be reached is left to the job. */
export async function pushStanding(
  services: StandingServices,
  organisationId: string,
): Promise<{ row: StandingRow; receipts: ReceiptRow[] } | undefined> {
  const { db } = services;
  const row = await findStanding(db, organisationId);
  if (!row) return undefined;
  await noteTry(db, organisationId);
  const path = `/organisations/${toId('org', organisationId)}/standing`;
  const call = { method: 'PUT', path, body: orderOf(row) } as const;
  for (const { environment, status, body } of await services.askPlanes(consoleActor(organisationId), call)) {
    if (status !== 200) continue;
    const heard: { version: number; apps: number } = JSON.parse(body); // what setOrganisationStanding answers
    if (heard.version > row.version) await raiseVersion(db, organisationId, heard.version);
    else await upsertReceipt(db, organisationId, { environment, version: heard.version, apps: heard.apps });
  }
  return { row, receipts: await listReceipts(db, organisationId) };
}

/** The same, and once nothing of an organisation that is being erased is left anywhere, it goes here too. */
export async function followUp(services: StandingServices, organisationId: string): Promise<void> {
  const pushed = await pushStanding(services, organisationId);
  if (!pushed?.row.erasing_since) return;
  const { row, receipts } = pushed;
  const isGone = ({ name }: { name: string }): boolean =>
    receipts.some(({ environment, version, apps }) => environment === name && version === row.version && apps === 0);
  if (services.environments.length === 0 || !services.environments.every(isGone)) return;
  await services.db.transaction((tx) => eraseOrganisation(tx, organisationId));
}
