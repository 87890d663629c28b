// Reports the live access of an app to production and records the confirmation. Reports are idempotent, so an
// interrupted attempt can be repeated.

import { consoleActor } from '../../access/authority/index.ts';
import type { ConsoleServices } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { raiseVersion, recordConfirmation, recordReportAttempt } from './access-store.ts';
import type { LiveAccessRow } from './live-access.ts';

export interface LiveAccessServices {
  db: Database;
  askPlanes: ConsoleServices['askPlanes'];
}

const toLiveAccessUpdate = ({ version, app_name, scopes, max_servers, status }: LiveAccessRow) => ({
  version,
  name: app_name,
  scopes,
  maxServers: max_servers,
  standing: status,
});

/** Returns whether production has confirmed the version that the Console had when it reported. */
export async function reportLiveAccess(
  { db, askPlanes }: LiveAccessServices,
  organisationId: string,
  appId: string,
): Promise<boolean> {
  const row = await recordReportAttempt(db, organisationId, appId);
  if (!row) return true;
  let isConfirmed = false;
  const path = `/organisations/${toId('org', organisationId)}/apps/${toId('app', row.production_app_id)}/live-access`;
  const call = { method: 'PUT', path, body: toLiveAccessUpdate(row), environment: 'production' } as const;
  for (const { status, body } of await askPlanes(consoleActor(organisationId), call)) {
    if (status !== 200) continue;
    const received: { version: number } = JSON.parse(body); // the response of setLiveAccess
    if (received.version > row.version) await raiseVersion(db, row, received.version);
    else await recordConfirmation(db, row, received.version);
    isConfirmed = received.version === row.version;
  }
  return isConfirmed;
}
