// Gives an installation another state: what that means for what is on its way, and the event that tells of it.
import { toId } from '../../kit/ids.ts';
import { problem } from '../../kit/problems.ts';
import { type Enqueue, type GrantState, SCOPES, type Scope } from '../authority/index.ts';
import { emitEvent, findReceivers } from '../events/index.ts';
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
  // In one trip: from the first of them on the server's mutations wait.
  const [, changed, , news, now = row] = await Promise.all([
    plan === 'make' && insertInstallations(tenant, [row.server_id], scopes),
    plan === 'change' && row.installation_id ? updateInstallations(tenant, [row.installation_id], wanted) : [],
    settleDeliveries(context, [row.server_id], wanted),
    findNews(context, wanted),
    findInstallationRow(tenant, row.server_id),
  ]);
  const [event] = await tellInstallations(context, changed, news);
  return { now, event };
}

/** What an app is told of a change, and which of its endpoints are. */
interface News {
  type: 'installation.paused' | 'installation.resumed';
  enqueue: Enqueue;
}

/** Of every server's: that is no server's to allow. An app is told neither of a revocation nor of a new grant. */
export async function findNews({ tenant, plane }: GrantContext, state: GrantState): Promise<News | undefined> {
  if (state === 'revoked') return undefined;
  const type = state === 'paused' ? 'installation.paused' : 'installation.resumed';
  return { type, enqueue: await findReceivers(tenant, plane, { type, serverId: null }) };
}

const TOLD_AT_ONCE = 100;

/** An event for each that was paused or resumed; the last of them go out with the commit. */
export async function tellInstallations(
  { tenant, plane, wakeAfterCommit }: GrantContext,
  changed: readonly ChangedInstallation[],
  news: News | undefined,
): Promise<string[]> {
  if (!news || changed.length === 0) return [];
  wakeAfterCommit();
  const { type } = news;
  let { enqueue } = news;
  const events: string[] = [];
  for (let at = 0; at < changed.length; at += TOLD_AT_ONCE) {
    // Who asks anew sends what was told so far: of a thousand servers, in one message, nobody would wait for the end.
    if (at > 0) enqueue = await findReceivers(tenant, plane, { type, serverId: null });
    const emitted = changed.slice(at, at + TOLD_AT_ONCE).map((one) => {
      const subject = { uuid: one.installation_id, id: toId('ins', one.installation_id) };
      const { server_id: serverId, event_sequence: sequence } = one;
      return emitEvent(tenant, plane, { type, serverId, subject, sequence, requestId: null, data: {} }, enqueue);
    });
    events.push(...(await Promise.all(emitted)));
  }
  return events;
}
