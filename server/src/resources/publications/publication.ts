// A publication: a post in one of a community's channels.
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';

export const STATUSES = ['draft', 'scheduled', 'published', 'archived'] as const;

const contentFields = {
  title: text('The headline.', { maxLength: 200 }),
  bodyMarkdown: text('The text, in Markdown (CommonMark).', { maxLength: 20_000 }),
  tags: Type.Array(text('A tag.', { maxLength: 50 }), { maxItems: 20, description: 'The tags.' }),
};
/** The fields that a member may set when a publication is published or changed. */
export const PublicationContent = Type.Partial(strictObject(contentFields));
export type PublicationContent = Static<typeof PublicationContent>;

export const PublicationId = idSchema('pub', 'The identifier of the publication.');

export const Publication = namedObject('Publication', 'A post in one of a community’s channels.', {
  id: PublicationId,
  serverId: ServerId,
  channel: text('The channel of the publication.', { maxLength: 100 }),
  title: contentFields.title,
  bodyMarkdown: contentFields.bodyMarkdown,
  status: oneOf(STATUSES, 'The status. Members see published publications, and archived ones on request.'),
  author: text('The name of the author.', { maxLength: 100 }),
  tags: contentFields.tags,
  publishedAt: nullable(
    dateTime('The time of publication, in the future for a scheduled publication; null for a draft.'),
  ),
  createdAt: dateTime('The creation time of the first draft.'),
});
export type Publication = Static<typeof Publication>;

export interface PublicationRow {
  publication_id: string;
  server_id: string;
  channel: string;
  title: string;
  body_markdown: string;
  status: (typeof STATUSES)[number];
  author: string;
  tags: string[];
  published_at: Date | null;
  created_at: Date;
}

export function toPublication(row: PublicationRow): Publication {
  return {
    id: toId('pub', row.publication_id),
    serverId: toId('srv', row.server_id),
    channel: row.channel,
    title: row.title,
    bodyMarkdown: row.body_markdown,
    status: row.status,
    author: row.author,
    tags: row.tags,
    publishedAt: row.published_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

export const examplePublication: Publication = {
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
};
