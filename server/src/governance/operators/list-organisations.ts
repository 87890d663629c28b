import { OrganisationId } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { operator } from './access.ts';
import { exampleOrganisation, newestReplies, OperatedOrganisation, pageQuery, toOperated } from './operator.ts';
import { listOrganisations as listRows } from './store.ts';

export const listOrganisations = operation({
  id: 'listOrganisations',
  route: 'GET /api/operator/organisations',
  tag: 'Operators',
  summary: 'List organisations',
  description:
    'Lists all organisations, newest first, with the facts that operators may see. To get the next page, send the last identifier as `before`.',
  access: operator(),
  query: strictObject(pageQuery(OrganisationId)),
  replies: newestReplies('OperatedOrganisationList', OperatedOrganisation, 'The organisations.', exampleOrganisation),
  async run({ tx }, { ids: { before }, query }) {
    const rows = await listRows(tx, query.limit ?? 25, before);
    return { status: 200, body: { data: rows.map(toOperated) } };
  },
});
