import { Readable } from 'node:stream';
import { organisationParams } from '../../access/authority/index.ts';
import { memberMay } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { organisationLines, requirePlanes } from './export-lines.ts';
import { findStanding } from './store.ts';

export const exportOrganisation = operation({
  id: 'exportOrganisation',
  method: 'POST',
  path: '/api/organisations/{organisationId}/export',
  tag: 'Organisations',
  summary: 'Export an organisation',
  description:
    'All that an organisation has, as lines of JSON: its members, its requests for live access, its apps in every environment with their keys, installations and endpoints, and the audit log. No secret is in it. Each line names its `kind`; the last is `end`, and an export without it broke off. It works until an organisation that is being deleted is erased, and is itself audited.',
  access: memberMay('organisation.export'),
  params: organisationParams,
  replies: {
    200: {
      description: 'The lines.',
      contentType: 'application/x-ndjson',
      schema: Type.String({ description: 'A line of JSON for each thing.', maxLength: 1_000_000_000 }),
      examples: {
        anEmptyOne:
          '{"kind":"organisation","id":"org_01j9z3v8k6e5t8m2n4p6q8r0s6","name":"Harbour Tools"}\n{"kind":"end"}\n',
      },
    },
  },
  async run({ services, actor, tx, audit, afterCommit }) {
    const row = await findStanding(tx, actor.organisationId);
    if (!row) throw problem('not_found');
    const source = { services, actor, name: row.name };
    audit('organisation.export', toId('org', actor.organisationId));
    return afterCommit(async () => {
      await requirePlanes(source);
      return { status: 200, body: Readable.from(organisationLines(source)) };
    });
  },
});
