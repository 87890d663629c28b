import { allowKeyRead, listPage } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { linkOfFirst, listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';
import { examplePublication, Publication, toPublication } from './publication.ts';
import { listPublicationRows } from './store.ts';

export const listPublications = operation({
  id: 'listPublications',
  route: 'GET /v1/servers/{serverId}/publications',
  tag: 'Publications',
  summary: 'List the publications of a server',
  description:
    'Lists the publications of a server that has authorised this app with `publications:read`, newest first.',
  access: allowKeyRead('publications:read', { serverParam: true }),
  params: strictObject({ serverId: ServerId }),
  query: strictObject(listQuery),
  replies: listReplies('PublicationList', Publication, 'A page of publications.', examplePublication, {
    headers: ['Link'],
    links: { aPublication: linkOfFirst('getPublication', 'publicationId', 'A publication of the page.') },
  }),
  run: (context, { ids: { serverId } }) =>
    listPage(context, {
      collection: 'publications',
      prefix: 'pub',
      idOf: (row) => row.publication_id,
      toItem: toPublication,
      granted: { serverId, scope: 'publications:read' },
      load: (tenant, after, limit) => listPublicationRows(tenant, serverId, after, limit),
    }),
});
