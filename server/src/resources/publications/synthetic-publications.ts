// Publications of a synthetic server. Equal inputs return equal bytes on any machine.
import { derivedUuid, drawFrom, HISTORY_ENDS_MS, type Script, turnOf } from '../synthetic.ts';
import type { PublicationRow } from './publication.ts';
import { PUBLICATION_WORDS } from './publication-words.ts';

export interface SyntheticPublication {
  publicationId: string;
  serverId: string;
  channel: string;
  title: string;
  bodyMarkdown: string;
  status: PublicationRow['status'];
  author: string;
  tags: string[];
  publishedAt: string | null;
  createdAt: string;
}

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
const HALF = 40;

/** Returns `count` publications of a server, starting at its creation. */
export function syntheticPublications(
  server: { serverId: string; createdAt: string },
  count: number,
  script: Script,
): SyntheticPublication[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = `${server.serverId}/publication/${index}`;
    const draw = drawFrom(origin);
    const { atMs, spanMs } = turnOf(Date.parse(server.createdAt), HISTORY_ENDS_MS, index + 1, HALF);
    const createdMs = atMs + draw.number(spanMs);
    const delayMs = (1 + draw.number(48)) * 3_600_000;
    const status = draw.pick(STATUSES);
    const written = writePublication(draw, script);
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

type Written = Pick<SyntheticPublication, 'channel' | 'title' | 'bodyMarkdown' | 'author' | 'tags'>;

/** Generates the text of a publication with five draws. */
export function writePublication(draw: ReturnType<typeof drawFrom>, script: Script): Written {
  const words = PUBLICATION_WORDS[script];
  const [subject, tag] = draw.pick(words.subjects);
  return {
    channel: draw.pick(words.channels),
    title: `${draw.pick(words.openings)} ${subject}`,
    bodyMarkdown: draw.pick(words.bodies),
    author: draw.pick(words.authors),
    tags: [tag],
  };
}
