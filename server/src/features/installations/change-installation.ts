// Gives an installation another state: what that means for what is on its way, and the event that tells of it.
import { toId } from '../../kit/ids.ts';
import { problem } from '../../kit/problems.ts';
import { type GrantState, SCOPES, type Scope } from '../authority/index.ts';
import { emitEvent } from '../events/index.ts';
import { type ChangedInstallation, updateInstallations } from './bulk-store.ts';
import { type InstallationRow, planGrant } from './installation.ts';
import { type GrantContext, settleDeliveries } from './settle-deliveries.ts';
import { findInstallationRow, insertInstallations } from './store.ts';

/** What the server allows then, and the event, if this is one that an app is told of. The caller holds the server. */
export async function changeInstallation(
  context: GrantContext,
  row: InstallationRow,
  wanted: GrantState,
  scopes: readonly Scope[] = SCOPES,
): Promise<{ now: InstallationRow; event?: string | undefined }> {
  const { tenant } = context;
  const plan = planGrant(row.state ?? undefined, wanted);
  if (plan === 'refuse') throw problem('conflict', { detail: `There is no installation that could be ${wanted}.` });
  if (plan === 'keep') return { now: row };
  if (plan === 'make') await insertInstallations(tenant, [row.server_id], scopes);
  const changed =
    plan === 'change' && row.installation_id ? await updateInstallations(tenant, [row.installation_id], wanted) : [];
  // In one trip: the server's mutations wait.
  const [, [event], now = row] = await Promise.all([
    settleDeliveries(context, [row.server_id], wanted),
    tellInstallations(context, changed, wanted),
    findInstallationRow(tenant, row.server_id),
  ]);
  return { now, event };
}

const TOLD_AT_ONCE = 100;

/** An event for each that was paused or resumed; an app is told neither of a revocation nor of a new grant. */
export async function tellInstallations(
  context: GrantContext,
  changed: readonly ChangedInstallation[],
  state: GrantState,
): Promise<string[]> {
  if (state === 'revoked') return [];
  const type = state === 'paused' ? 'installation.paused' : 'installation.resumed';
  const events: string[] = [];
  for (let at = 0; at < changed.length; at += TOLD_AT_ONCE) {
    const emitted = changed.slice(at, at + TOLD_AT_ONCE).map((one) =>
      emitEvent(context.tenant, context.plane, {
        type,
        serverId: one.server_id,
        subject: { uuid: one.installation_id, id: toId('ins', one.installation_id) },
        sequence: one.event_sequence,
        requestId: null,
        data: {},
      }),
    );
    events.push(...(await Promise.all(emitted)));
  }
  if (events.length > 0) context.wakeAfterCommit();
  return events;
}
