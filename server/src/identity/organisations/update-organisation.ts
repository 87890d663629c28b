import { organisationParams } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { displayName, namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowMemberWrite, Membership } from '../sessions/index.ts';
import { findOrganisation, updateOrganisationName } from './store.ts';

const OrganisationChange = namedObject('OrganisationChange', 'A change of an organisation.', {
  name: displayName('The new name of the organisation.'),
});

export const updateOrganisation = operation({
  id: 'updateOrganisation',
  route: 'PATCH /api/organisations/{organisationId}',
  tag: 'Organisations',
  summary: 'Rename an organisation',
  description:
    'Changes the name of an organisation in every environment. Its identifier and all its data are unchanged.',
  access: allowMemberWrite('organisation.change'),
  params: organisationParams,
  body: OrganisationChange,
  examples: { aName: { name: 'Harbour Works' } },
  replies: ok("The organisation, and the person's role in it.", Membership, {
    aName: { id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6', name: 'Harbour Works', role: 'owner' },
  }),
  async run({ actor, tx, audit }, { body }) {
    const { organisationId, role } = actor;
    const id = toId('org', organisationId);
    const name = body.name.trim();
    const before = await findOrganisation(tx, organisationId);
    if (!before) throw problem('not_found');
    if (name !== before.name) {
      await updateOrganisationName(tx, organisationId, name);
      audit('organisation.update', id, { name, before: before.name });
    }
    return { status: 200, body: { id, name, role } };
  },
});
