// A tick of a world: one change, which is determined by the seed and the number of the tick.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { resourceEvents } from '../../access/contracts/index.ts';
import { ProblemError } from '../../kit/openapi/problems.ts';
import { archiveOldest, editPublication, publishOnServer } from '../../resources/publications/index.ts';
import { moveRoadmapItem, proposeRoadmapItem } from '../../resources/roadmap/index.ts';
import { pickServerId } from '../../resources/servers/index.ts';
import { createSeededRandom, type SeededRandom } from '../../resources/synthetic.ts';
import { advanceTicket } from '../../resources/tickets/index.ts';
import { changeServer } from './change-server.ts';
import { hasStoredObjects } from './fill-objects.ts';
import { triggerObjectEvent } from './trigger-object-event.ts';
import { type ChangeSeed, PRESET_KINDS, type WorldSpec } from './world.ts';

type WorldChange = 'ticket' | 'publish' | 'edit' | 'archive' | 'propose' | 'move' | 'server';

// Twelve changes. Tickets are the most frequent, because integrations wait for them.
const WORLD_CHANGES: readonly WorldChange[] = [
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
const MAX_CANDIDATE_TICKETS = 3;
const MAX_OFFSET = 1_000_000;

/** Makes the change of the tick and returns its event; undefined if no change was possible. */
export async function applyTick(
  tenant: TenantTransaction,
  plane: EventPort,
  world: WorldSpec & { tick: number },
): Promise<string | undefined> {
  const origin = `${tenant.appId}/${world.seed}/${world.epoch}/turn/${world.tick}`;
  const draw = createSeededRandom(origin);
  if (hasStoredObjects) return changeObject(tenant, plane, draw);
  const change = draw.pick(WORLD_CHANGES);
  const serverId = await pickServerId(tenant, draw.number(MAX_OFFSET));
  if (serverId === undefined) return undefined;
  const drawn = draw.number(MAX_OFFSET);
  const from: ChangeSeed = { origin, script: PRESET_KINDS[world.preset].script };
  const happened = await applyChange(tenant, plane, change, serverId, drawn, from);
  return happened ?? changeServer(tenant, plane, serverId, origin);
}

/** Makes the change of a drawn event of the contract. Ticks delete no object. */
async function changeObject(
  tenant: TenantTransaction,
  plane: EventPort,
  draw: SeededRandom,
): Promise<string | undefined> {
  const changes = resourceEvents.filter(({ event }) => !event.deletes);
  if (changes.length === 0) return undefined;
  const { resource, type } = draw.pick(changes);
  return triggerObjectEvent(tenant, plane, resource, { type, objectId: undefined }).catch((error: unknown) => {
    // A handler or a limit refuses the change, and nothing was written.
    if (error instanceof ProblemError && error.code === 'conflict') return undefined;
    throw error;
  });
}

async function applyChange(
  tenant: TenantTransaction,
  plane: EventPort,
  change: WorldChange,
  serverId: string,
  drawn: number,
  from: ChangeSeed,
): Promise<string | undefined> {
  switch (change) {
    case 'ticket':
      return (
        (await advanceTicket(tenant, plane, { skip: drawn % MAX_CANDIDATE_TICKETS })) ??
        advanceTicket(tenant, plane, {})
      );
    case 'publish':
      return publishOnServer(tenant, plane, serverId, from);
    case 'edit':
      return editPublication(tenant, plane, { serverId }, from);
    case 'archive':
      return archiveOldest(tenant, plane, serverId);
    case 'propose':
      return proposeRoadmapItem(tenant, plane, serverId, from);
    case 'move':
      return moveRoadmapItem(tenant, plane, { serverId, drawn });
    case 'server':
      return undefined;
  }
}
