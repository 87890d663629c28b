import { allowKeyRead, requireGrant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { examplePublication, Publication, PublicationId, toPublication } from './publication.ts';
import { findPublication } from './store.ts';

export const getPublication = operation({
  id: 'getPublication',
  route: 'GET /v1/publications/{publicationId}',
  tag: 'Publications',
  summary: 'Get a publication',
  description: 'Returns one publication of a server that has authorised this app with `publications:read`.',
  access: allowKeyRead('publications:read', { serverParam: true }),
  params: strictObject({ publicationId: PublicationId }),
  replies: ok('The publication.', Publication, { aPublication: examplePublication }),
  run(context, { ids: { publicationId } }) {
    return context.page('publications', async (tenant) => {
      const { revision, row } = await findPublication(tenant, publicationId);
      if (!row) throw problem('not_found');
      await requireGrant(tenant, row.server_id, 'publications:read');
      return { revision, subjectId: row.server_id, json: JSON.stringify(toPublication(row)) };
    });
  },
});
