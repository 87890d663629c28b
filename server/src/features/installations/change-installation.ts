// Gives an installation another state: what that means for what is on its way, and the event that tells of it.
import { toId } from '../../kit/ids.ts';
import { problem } from '../../kit/problems.ts';
import { type AppContext, type GrantState, SCOPES } from '../authority/index.ts';
import { type EventType, emitEvent } from '../events/index.ts';
import { type InstallationRow, planGrant } from './installation.ts';
import { settleDeliveries } from './settle-deliveries.ts';
import { countInstallationEvent, insertInstallations, updateInstallation } from './store.ts';

/** The event, if this is one that an app is told of. The caller holds the server. */
export async function changeInstallation(
  context: AppContext,
  row: InstallationRow,
  wanted: GrantState,
): Promise<string | undefined> {
  const { tenant } = context;
  const plan = planGrant(row.state ?? undefined, wanted);
  if (plan === 'refuse') throw problem('conflict', { detail: `There is no installation that could be ${wanted}.` });
  if (plan === 'keep') return undefined;
  if (plan === 'make') await insertInstallations(tenant, [row.server_id], SCOPES);
  if (plan === 'change' && row.installation_id) await updateInstallation(tenant, row.installation_id, wanted);
  await settleDeliveries(context, row.server_id, wanted);
  if (plan === 'make' || row.installation_id === null || wanted === 'revoked') return undefined;
  const type: EventType = wanted === 'paused' ? 'installation.paused' : 'installation.resumed';
  context.wakeAfterCommit();
  return emitEvent(tenant, context.plane, {
    type,
    serverId: row.server_id,
    subject: { uuid: row.installation_id, id: toId('ins', row.installation_id) },
    sequence: await countInstallationEvent(tenant, row.installation_id),
    requestId: null,
    data: {},
  });
}
