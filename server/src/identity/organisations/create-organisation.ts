import { unitOfWork } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { displayName, namedObject } from '../../kit/http/schema.ts';
import { allowPerson, Membership } from '../sessions/index.ts';
import { insertOrganisation } from './store.ts';

const NewOrganisation = namedObject('NewOrganisation', 'An organisation to create.', {
  name: displayName('The name of the organisation.'),
});

export const createOrganisation = operation({
  id: 'createOrganisation',
  route: 'POST /api/organisations',
  tag: 'Organisations',
  summary: 'Create an organisation',
  description: 'Creates an organisation. The signed-in person becomes its owner.',
  access: allowPerson(),
  body: NewOrganisation,
  examples: { anOrganisation: { name: 'Harbour Tools' } },
  replies: created("The organisation, and the person's role in it.", Membership, {
    owned: { id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6', name: 'Harbour Tools', role: 'owner' },
  }),
  async run({ services, person, workScope }, { body }) {
    const organisationId = newUuid();
    const name = body.name.trim();
    const id = toId('org', organisationId);
    await unitOfWork(services.db, { organisationId, ...workScope }, async ({ tx, audit }) => {
      await insertOrganisation(tx, { organisationId, name, ownerId: person.id });
      audit('organisation.create', id, { name });
    });
    return { status: 201, body: { id, name, role: 'owner' } };
  },
});
