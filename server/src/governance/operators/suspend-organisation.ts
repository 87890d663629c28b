import { organisationParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedSchema, strictObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';
import { exampleOrganisation, OperatedOrganisation, toOperated } from './operator.ts';
import { suspend } from './store.ts';

const Suspension = namedSchema(
  'Suspension',
  strictObject({
    reason: text('Reason for the suspension. The members and the audit log receive it.', {
      minLength: 1,
      maxLength: 500,
    }),
  }),
);

export const suspendOrganisation = operation({
  id: 'suspendOrganisation',
  route: 'POST /api/operator/organisations/{organisationId}/suspend',
  tag: 'Operators',
  summary: 'Suspend an organisation',
  description:
    'Suspends an organisation. From the next request on its members can neither read nor change anything, and its apps are stopped in every environment.',
  access: operator(),
  params: organisationParams,
  body: Suspension,
  examples: { aReason: { reason: 'The invoice for March has not been paid.' } },
  replies: ok('The organisation.', OperatedOrganisation, { anOrganisation: exampleOrganisation }),
  problems: ['not_found'],
  async run({ tx, recordOf, services, afterCommit }, { ids: { organisationId }, body }) {
    const row = await suspend(tx, organisationId, body.reason);
    if (!row) throw problem('not_found');
    await recordOf(row.organisation_id, 'organisation.suspend', body);
    afterCommit(() => services.onStatusChange(row.organisation_id));
    return { status: 200, body: toOperated(row) };
  },
});
