// Compares the announced ends of deprecated parts: a client may rely on each announced end.
import type { DeclaredDeprecation } from '../../access/contracts/index.ts';

/** The day on which each deprecated part ends, such as `createOrder request /code`. */
export type AnnouncedEnds = Record<string, string>;

export function announcedEnds(deprecations: readonly DeclaredDeprecation[]): AnnouncedEnds {
  const ends = new Map<string, string>();
  for (const { where, operations, ends: day } of deprecations) {
    for (const part of partsOf(where, operations)) {
      const known = ends.get(part);
      ends.set(part, known !== undefined && known < day ? known : day); // the first end decides
    }
  }
  return Object.fromEntries(ends);
}

function partsOf(where: DeclaredDeprecation['where'], operations: readonly string[]): string[] {
  if (where.in === 'events') {
    const version = where.schemaVersion === undefined ? '' : ` version ${where.schemaVersion}`;
    return [`webhook ${where.type}${version}`];
  }
  if (where.in === 'operation') return [...operations];
  const inside = where.in === 'query' ? `query ${where.name}` : `${NAMES[where.in]} ${where.pointer}`;
  return operations.map((id) => `${id} ${inside}`);
}

/** The words of the other breaking changes. */
const NAMES = { body: 'request', response: 'response' } as const;

interface DeprecationChanges {
  breaking: string[];
  deprecated: string[];
}

/**
 * Compares the announced ends on a day. An end in the past that no contract announced before, or an earlier end than
 * announced, breaks clients: they could not migrate in time. A contract stored by an earlier release has no ends, so
 * nothing is compared with it.
 */
export function deprecationChanges(
  before: AnnouncedEnds | undefined,
  after: AnnouncedEnds,
  nowMs: number,
): DeprecationChanges {
  const changes: DeprecationChanges = { breaking: [], deprecated: [] };
  if (!before) return changes;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const announced = new Map(Object.entries(before));
  for (const [part, day] of Object.entries(after)) {
    const was = announced.get(part);
    if (was === day) continue;
    if (was === undefined && day <= today)
      changes.breaking.push(`${part}: deprecated with the end ${day}, which is not in the future`);
    else if (was !== undefined && day < was)
      changes.breaking.push(`${part}: ends on ${day}, and the announced end was ${was}`);
    else changes.deprecated.push(`${part}, until ${day}`);
  }
  return changes;
}
