import { allowOrganisationManagement, organisationParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT } from '../../kit/http/page.ts';
import { namedObject, nullable, strictObject, Type } from '../../kit/http/schema.ts';
import { AuditHead, AuditLogEntry, auditFilterQuery, exampleEntry, exampleHead } from './audit-log-entry.ts';
import { readChainPage } from './chain-source.ts';

const place = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  route: 'GET /organisations/{organisationId}/audit-entries',
  tag: 'Audit log',
  summary: 'List audit entries of an environment',
  description:
    'Lists the entries of the organisation’s chain in this environment: newest first or, with `after`, oldest first. The audit log merges these entries with those of the Console.',
  access: allowOrganisationManagement('audit.read'),
  params: organisationParams,
  query: strictObject({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: DEFAULT_LIMIT,
        description: 'Maximum number of items to return.',
      }),
    ),
    before: place('Only entries with a lower sequence, newest first.'),
    after: place('Only entries with a higher sequence, oldest first.'),
    ...auditFilterQuery,
  }),
  replies: ok(
    'Entries, and the head of the chain.',
    namedObject('AuditEntries', 'Entries of one chain; `head` is its newest entry, null before the first.', {
      data: Type.Array(AuditLogEntry, { maxItems: 100, description: 'In the requested order.' }),
      head: nullable(AuditHead),
    }),
    { some: { data: [exampleEntry], head: exampleHead } },
  ),
  async run({ plane, actor, tx }, { query }) {
    const range = { ...query, limit: query.limit ?? DEFAULT_LIMIT };
    return { status: 200, body: await readChainPage(tx, plane.environment, actor.organisationId, range) };
  },
});
