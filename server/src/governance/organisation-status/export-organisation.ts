import { Readable } from 'node:stream';
import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { organisationLines, requirePlanes } from './export-lines.ts';
import { findOrganisationStatus } from './store.ts';

export const exportOrganisation = operation({
  id: 'exportOrganisation',
  route: 'POST /api/organisations/{organisationId}/export',
  tag: 'Organisations',
  summary: 'Export an organisation',
  description:
    'Exports all data of an organisation as lines of JSON: members, requests for live access, apps with their keys, installations and endpoints in every environment, and the audit log. The export contains no secrets. Each line has a `kind`. The last line has the kind `end`; an export without it is incomplete. You can export an organisation until it is erased. The audit log records each export.',
  access: allowMemberChange('organisation.export'),
  params: organisationParams,
  replies: ok(
    'The lines of the export.',
    Type.String({ description: 'One JSON object per line.', maxLength: 1_000_000_000 }),
    {
      anEmptyOne:
        '{"kind":"organisation","id":"org_01j9z3v8k6e5t8m2n4p6q8r0s6","name":"Harbour Tools"}\n{"kind":"end"}\n',
    },
    { contentType: 'application/x-ndjson' },
  ),
  async run({ services, actor, tx, audit, afterCommit }) {
    const row = await findOrganisationStatus(tx, actor.organisationId);
    if (!row) throw problem('not_found');
    const source = { services, actor, name: row.name };
    audit('organisation.export', toId('org', actor.organisationId));
    return afterCommit(async () => {
      await requirePlanes(source);
      return { status: 200, body: Readable.from(organisationLines(source)) };
    });
  },
});
