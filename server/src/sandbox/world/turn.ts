// A tick of a world: one change, which is determined by the seed and the number of the tick.

import type { Plane, TenantTransaction } from '../../access/authority/index.ts';
import { archiveOldest, editPublication, publishOnServer } from '../../resources/publications/index.ts';
import { moveItem, proposeItem } from '../../resources/roadmap/index.ts';
import { pickServerId } from '../../resources/servers/index.ts';
import { drawFrom } from '../../resources/synthetic.ts';
import { moveTicket } from '../../resources/tickets/index.ts';
import { changeServer } from './change-server.ts';
import { type Happening, PRESET_KINDS, type WorldSpec } from './world.ts';

type Change = 'ticket' | 'publish' | 'edit' | 'archive' | 'propose' | 'move' | 'server';

// Twelve changes. Tickets are the most frequent, because integrations wait for them.
const CHANGES: readonly Change[] = [
  'ticket',
  'ticket',
  'ticket',
  'ticket',
  'publish',
  'publish',
  'edit',
  'archive',
  'propose',
  'move',
  'move',
  'server',
];

/** A tick handles one of this many newest open tickets, so that a new ticket does not wait behind hundreds. */
const TICKETS_AT_HAND = 3;
const MAX_OFFSET = 1_000_000;

/** Makes the change of the tick and returns its event; undefined if no change was possible. */
export async function liveTurn(
  tenant: TenantTransaction,
  plane: Plane,
  world: WorldSpec & { turn: number },
): Promise<string | undefined> {
  const origin = `${tenant.appId}/${world.seed}/${world.epoch}/turn/${world.turn}`;
  const draw = drawFrom(origin);
  const change = draw.pick(CHANGES);
  const serverId = await pickServerId(tenant, draw.number(MAX_OFFSET));
  if (serverId === undefined) return undefined;
  const drawn = draw.number(MAX_OFFSET);
  const from: Happening = { origin, script: PRESET_KINDS[world.preset].script };
  const happened = await happen(tenant, plane, change, serverId, drawn, from);
  return happened ?? changeServer(tenant, plane, serverId, origin);
}

async function happen(
  tenant: TenantTransaction,
  plane: Plane,
  change: Change,
  serverId: string,
  drawn: number,
  from: Happening,
): Promise<string | undefined> {
  switch (change) {
    case 'ticket':
      return (await moveTicket(tenant, plane, { skip: drawn % TICKETS_AT_HAND })) ?? moveTicket(tenant, plane, {});
    case 'publish':
      return publishOnServer(tenant, plane, serverId, from);
    case 'edit':
      return editPublication(tenant, plane, { serverId }, from);
    case 'archive':
      return archiveOldest(tenant, plane, serverId);
    case 'propose':
      return proposeItem(tenant, plane, serverId, from);
    case 'move':
      return moveItem(tenant, plane, { serverId, drawn });
    case 'server':
      return undefined;
  }
}
