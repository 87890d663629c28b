// Publications of a synthetic server. Equal inputs return equal bytes on any machine.
import { type CharacterSet, createSeededRandom, derivedUuid, HISTORY_ENDS_MS, timeSlotOf } from '../synthetic.ts';
import type { Publication } from './publication.ts';
import { PUBLICATION_VOCABULARY } from './publication-vocabulary.ts';

export type SyntheticPublication = Omit<Publication, 'id'> & { publicationId: string };

// Ten statuses to draw from: most publications of a community are published.
const STATUSES = [
  'published',
  'published',
  'published',
  'published',
  'published',
  'published',
  'archived',
  'archived',
  'scheduled',
  'draft',
] as const;
const HALF_TIME_COUNT = 40;

/** Returns `count` publications of a server, starting at its creation. */
export function syntheticPublications(
  server: { serverId: string; createdAt: string },
  count: number,
  script: CharacterSet,
): SyntheticPublication[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = `${server.serverId}/publication/${index}`;
    const draw = createSeededRandom(origin);
    const { atMs, spanMs } = timeSlotOf(Date.parse(server.createdAt), HISTORY_ENDS_MS, index + 1, HALF_TIME_COUNT);
    const createdMs = atMs + draw.number(spanMs);
    const delayMs = (1 + draw.number(48)) * 3_600_000;
    const status = draw.pick(STATUSES);
    const written = composePublication(draw, script);
    return {
      publicationId: derivedUuid(origin, createdMs),
      serverId: server.serverId,
      ...written,
      status,
      tags: index % 3 === 0 ? [...written.tags, 'pinned'] : written.tags,
      publishedAt: status === 'draft' ? null : new Date(createdMs + delayMs).toISOString(),
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}

type PublicationText = Pick<SyntheticPublication, 'channel' | 'title' | 'bodyMarkdown' | 'author' | 'tags'>;

/** Generates the text of a publication with five draws. */
export function composePublication(draw: ReturnType<typeof createSeededRandom>, script: CharacterSet): PublicationText {
  const words = PUBLICATION_VOCABULARY[script];
  const [subject, tag] = draw.pick(words.subjects);
  return {
    channel: draw.pick(words.channels),
    title: `${draw.pick(words.openings)} ${subject}`,
    bodyMarkdown: draw.pick(words.bodies),
    author: draw.pick(words.authors),
    tags: [tag],
  };
}
