import { organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, named, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';
import { exampleOrganisation, OperatedOrganisation, toOperated } from './operator.ts';
import { suspend } from './store.ts';

const Suspension = named(
  'Suspension',
  closed({ reason: text('Why, for the members and for the record.', { minLength: 1, maxLength: 500 }) }),
);

export const suspendOrganisation = operation({
  id: 'suspendOrganisation',
  method: 'POST',
  path: '/api/operator/organisations/{organisationId}/suspend',
  tag: 'Operators',
  summary: 'Suspend an organisation',
  description:
    'Its members can read and change nothing from the next request on, and its apps are stopped in every environment.',
  access: operator(),
  params: organisationParams,
  body: Suspension,
  examples: { aReason: { reason: 'The invoice of March is open.' } },
  replies: {
    200: {
      description: 'The organisation.',
      schema: OperatedOrganisation,
      examples: { anOrganisation: exampleOrganisation },
    },
  },
  problems: ['not_found'],
  async run({ tx, recordOf, services, afterCommit }, { ids: { organisationId }, body }) {
    const row = await suspend(tx, organisationId, body.reason);
    if (!row) throw problem('not_found');
    await recordOf(row.organisation_id, 'organisation.suspend', body);
    afterCommit(() => services.onStanding(row.organisation_id));
    return { status: 200, body: toOperated(row) };
  },
});
