// A publication: a post in one of a community's channels.
import { linkOfFirst } from '../../../kit/http/page.ts';
import { dateTime, nullable, oneOf, Type, text } from '../../../kit/http/schema.ts';
import { resource } from '../contract.ts';
import type { CharacterSet } from '../declaration.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { servers } from './servers.ts';
import { PUBLICATION_WORDS } from './words/publications.ts';

const HOUR_MS = 3_600_000;
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

/** Generates the text of a publication with five draws. */
export function composePublication(draw: SeededRandom, script: CharacterSet) {
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

const UNPUBLISHED = { named: 'The publication is not published.', any: 'No publication is published.' };

export const publications = resource({
  file: import.meta.url,
  name: 'Publication',
  kind: 'publication',
  plural: 'publications',
  noun: 'publication',
  description: 'A post in one of a community’s channels.',
  path: 'publications',
  tag: 'Publications',
  idPrefix: 'pub',
  parent: servers,
  scope: 'publications:read',
  origin: 'seeded',
  fields: {
    channel: text('The channel of the publication.', { maxLength: 100 }),
    title: text('The headline.', { maxLength: 200 }),
    bodyMarkdown: text('The text, in Markdown (CommonMark).', { maxLength: 20_000 }),
    status: oneOf(
      ['draft', 'scheduled', 'published', 'archived'],
      'The status. Members see published publications, and archived ones on request.',
    ),
    author: text('The name of the author.', { maxLength: 100 }),
    tags: Type.Array(text('A tag.', { maxLength: 50 }), { maxItems: 20, description: 'The tags.' }),
    publishedAt: nullable(
      dateTime('The time of publication, in the future for a scheduled publication; null for a draft.'),
    ),
    createdAt: dateTime('The creation time of the first draft.'),
  },
  states: { draft: ['published'], scheduled: ['published'], published: ['archived'], archived: ['published'] },
  example: {
    id: 'pub_01j9z3v8k6e5t8m2n4p6q8r0s5',
    serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
    channel: 'announcements',
    title: 'Long exposures: the November walk',
    bodyMarkdown: 'We meet at the **old pier** at nine.\n\n- Bring a tripod.\n- Bring tea.',
    status: 'published',
    author: 'Imke',
    tags: ['meetup', 'november'],
    publishedAt: '2026-11-02T18:00:00.000Z',
    createdAt: '2026-11-01T20:12:44.000Z',
  },
  list: {
    id: 'listPublications',
    summary: 'List the publications of a server',
    description:
      'Lists the publications of a server that has authorised this app with `publications:read`, newest first.',
    links: { aPublication: linkOfFirst('getPublication', 'publicationId', 'A publication of the page.') },
  },
  get: {
    description: 'Returns one publication of a server that has authorised this app with `publications:read`.',
    exampleName: 'aPublication',
  },
  events: {
    'publication.published': {
      meaning: 'A publication was published.',
      refusal: {
        named: 'The publication is published already.',
        any: 'Every publication is published already.',
      },
    },
    'publication.updated': { meaning: 'A publication was edited.', refusal: UNPUBLISHED },
    'publication.archived': { meaning: 'A publication was archived.', refusal: UNPUBLISHED },
  },
  sandbox: {
    segment: 'publication',
    halfTimeCount: 40,
    synthesise({ draw, index, createdMs, script }) {
      const delayMs = (1 + draw.number(48)) * HOUR_MS;
      const status = draw.pick(STATUSES);
      const written = composePublication(draw, script);
      return {
        ...written,
        status,
        tags: index % 3 === 0 ? [...written.tags, 'pinned'] : written.tags,
        publishedAt: status === 'draft' ? null : new Date(createdMs + delayMs).toISOString(),
      };
    },
  },
});
