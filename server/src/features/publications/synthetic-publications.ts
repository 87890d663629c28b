// Publications of a synthetic server: equal inputs give equal bytes on any machine.
import { derivedUuid, drawFrom } from '../../kit/synthetic.ts';
import type { PublicationRow } from './publication.ts';

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

const CHANNELS = ['announcements', 'events', 'showcase', 'changelog', 'help-desk'];
const AUTHORS = ['Imke', 'Tomás', 'Aiko', 'Priya', 'Noah', 'Zeynep', 'Marek', 'Ines'];
const SUBJECTS = [
  'the monthly meetup',
  'our new moderation rules',
  'the winter challenge',
  'the archive of past talks',
  'the beginners’ corner',
  'the community survey',
  'the swap market',
  'open office hours',
];
const OPENINGS = [
  'Join us for',
  'What is new in',
  'A recap of',
  'Help us with',
  'Last call for',
  'Behind the scenes of',
];
const BODIES = [
  'We begin at **19:00** in the main channel.\n\n- Bring a question.\n- Bring a friend.',
  'Thank you for more than *two hundred* answers. The short version:\n\n1. More of this.\n2. Less of that.',
  'Nothing changes for most of you. If you moderate a channel, please read the [guide](https://guide.sandbox.invalid/).',
  'The recording is in the archive. `#help-desk` is open for everything that we did not get to.',
];
const TAGS = ['meetup', 'rules', 'winter', 'archive', 'beginners', 'survey', 'market', 'hours'];
// Of ten: most of what a community ever wrote is published.
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
const DAY_MS = 86_400_000;

/** `count` publications of a server, a few days apart from its founding on. */
export function syntheticPublications(
  server: { serverId: string; createdAt: string },
  count: number,
): SyntheticPublication[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = `${server.serverId}/publication/${index}`;
    const draw = drawFrom(origin);
    const createdMs = Date.parse(server.createdAt) + (index + 1) * 3 * DAY_MS + draw.number(DAY_MS);
    const status = draw.pick(STATUSES);
    const subject = draw.number(SUBJECTS.length);
    const delayMs = (1 + draw.number(48)) * 3_600_000;
    return {
      publicationId: derivedUuid(origin, createdMs),
      serverId: server.serverId,
      channel: draw.pick(CHANNELS),
      title: `${draw.pick(OPENINGS)} ${SUBJECTS[subject]}`,
      bodyMarkdown: draw.pick(BODIES),
      status,
      author: draw.pick(AUTHORS),
      tags: [TAGS[subject] ?? '', ...(index % 3 === 0 ? ['pinned'] : [])],
      publishedAt: status === 'draft' ? null : new Date(createdMs + delayMs).toISOString(),
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}
