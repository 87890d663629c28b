// Changes a server, with the event that reports the change.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type EventType, emitEvent } from '../../resources/events/index.ts';
import { countServerEvent, findServer, toServer } from '../../resources/servers/index.ts';
import { createSeededRandom } from '../../resources/synthetic.ts';

const MAX_MEMBERS_LOST = 5;
const MAX_MEMBERS_GAINED = 25;

/** Changes the number of members. Returns undefined if the server does not exist or never had the app installed. */
export async function changeServer(
  tenant: TenantTransaction,
  plane: EventPort,
  serverId: string,
  origin: string,
): Promise<string | undefined> {
  const gained =
    createSeededRandom(`${origin}/server`).number(MAX_MEMBERS_LOST + MAX_MEMBERS_GAINED) - MAX_MEMBERS_LOST;
  const { row } = await findServer(tenant, serverId);
  const counted = row && (await countServerEvent(tenant, serverId, gained === 0 ? 1 : gained));
  if (!row || !counted) return undefined;
  const server = toServer({ ...row, member_count: counted.member_count });
  return emitServerEvent(tenant, plane, 'server.updated', serverId, counted.event_sequence, server);
}

export async function pingServer(
  tenant: TenantTransaction,
  plane: EventPort,
  serverId: string,
): Promise<string | undefined> {
  const counted = await countServerEvent(tenant, serverId, 0);
  return counted && emitServerEvent(tenant, plane, 'ping', serverId, counted.event_sequence, {});
}

function emitServerEvent(
  tenant: TenantTransaction,
  plane: EventPort,
  type: EventType,
  serverId: string,
  sequence: number,
  data: object,
): Promise<string> {
  const subject = { uuid: serverId, id: toId('srv', serverId) };
  return emitEvent(tenant, plane, { type, serverId, subject, sequence, requestId: null, data });
}
