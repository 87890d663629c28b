// Changes of publications in a running world. Each change writes its event.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { composePublication, publications } from '../../access/contracts/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { emitObjectEvent } from '../events/index.ts';
import { countObjects, insertObjects } from '../objects/index.ts';
import { type CharacterSet, createSeededRandom, derivedUuid } from '../synthetic.ts';
import { lockPublication, type PublicationSelector, updatePublication } from './live-store.ts';
import type { PublicationContent } from './publication.ts';

/**
 * The maximum number of publications on a server. Above it, an archived publication is published again instead of a new
 * one.
 */
const MAX_ON_SERVER = 200;
/** The minimum number of publications that stay published on a server. */
const MIN_PUBLISHED = 3;

type PublicationTarget = Pick<PublicationSelector, 'publicationId' | 'serverId'>;

/**
 * Publishes on the server a scheduled publication or draft, otherwise a new publication, or at the maximum an archived
 * one.
 */
export async function publishOnServer(
  tenant: TenantTransaction,
  plane: EventPort,
  serverId: string,
  from: { origin: string; script: CharacterSet },
): Promise<string | undefined> {
  const waiting = await lockPublication(tenant, { serverId, statuses: ['scheduled', 'draft'], isOldest: true });
  if (waiting) return publish(tenant, plane, waiting.publication_id);
  if ((await countObjects(tenant, 'publication', { serverId })) >= MAX_ON_SERVER) {
    const archived = await lockPublication(tenant, { serverId, statuses: ['archived'], isOldest: true });
    return archived && publish(tenant, plane, archived.publication_id);
  }
  const atMs = nowMs();
  const publicationId = derivedUuid(`${from.origin}/publication`, atMs);
  await insertObjects(tenant, publications, [
    {
      publicationId,
      serverId,
      ...composePublication(createSeededRandom(`${from.origin}/publication`), from.script),
      status: 'draft',
      publishedAt: null,
      createdAt: new Date(atMs).toISOString(),
    },
  ]);
  return publish(tenant, plane, publicationId);
}

/** Publishes a publication. Returns undefined if no unpublished publication matches. */
export async function publishPublication(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: PublicationTarget,
  words?: PublicationContent,
): Promise<string | undefined> {
  const row =
    (await lockPublication(tenant, { ...choice, statuses: ['scheduled', 'draft'] })) ??
    (await lockPublication(tenant, { ...choice, statuses: ['archived'] }));
  return row && publish(tenant, plane, row.publication_id, words);
}

/** Replaces the text of a published publication with the given or a generated text. */
export async function editPublication(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: PublicationTarget,
  from: { origin: string; script: CharacterSet },
  words?: PublicationContent,
): Promise<string | undefined> {
  const row = await lockPublication(tenant, { ...choice, statuses: ['published'] });
  if (!row) return undefined;
  const { bodyMarkdown } = composePublication(createSeededRandom(`${from.origin}/edit`), from.script);
  const change = words ?? { bodyMarkdown };
  const edited = await updatePublication(tenant, row.publication_id, { ...change, status: 'published' });
  return emitObjectEvent(tenant, plane, publications, 'publication.updated', edited);
}

export async function archivePublication(
  tenant: TenantTransaction,
  plane: EventPort,
  choice: PublicationTarget,
): Promise<string | undefined> {
  const row = await lockPublication(tenant, { ...choice, statuses: ['published'] });
  return row && archive(tenant, plane, row.publication_id);
}

/** Archives the oldest publication of the server, unless only the minimum is published. */
export async function archiveOldest(
  tenant: TenantTransaction,
  plane: EventPort,
  serverId: string,
): Promise<string | undefined> {
  if ((await countObjects(tenant, 'publication', { serverId, status: 'published' })) <= MIN_PUBLISHED) return undefined;
  const row = await lockPublication(tenant, { serverId, statuses: ['published'], isOldest: true });
  return row && archive(tenant, plane, row.publication_id);
}

async function publish(
  tenant: TenantTransaction,
  plane: EventPort,
  publicationId: string,
  words?: PublicationContent,
): Promise<string> {
  const row = await updatePublication(tenant, publicationId, { ...words, status: 'published' });
  return emitObjectEvent(tenant, plane, publications, 'publication.published', row);
}

async function archive(tenant: TenantTransaction, plane: EventPort, publicationId: string): Promise<string> {
  const row = await updatePublication(tenant, publicationId, { status: 'archived' });
  return emitObjectEvent(tenant, plane, publications, 'publication.archived', row);
}
