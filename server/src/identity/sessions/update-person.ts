import { unitOfWork } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { displayName, namedObject } from '../../kit/http/schema.ts';
import { allowPerson } from './console-access.ts';
import { lockOrganisationsOf } from './ended-access-store.ts';
import { findPeople, updatePersonName } from './store.ts';

const PersonChange = namedObject('PersonChange', 'A change of your profile.', { name: displayName('Your new name.') });

export const updatePerson = operation({
  id: 'updatePerson',
  route: 'PATCH /api/person',
  tag: 'Sessions',
  summary: 'Change your name',
  description:
    'Changes the name that the other members of your organisations see. The e-mail address, the sessions and the access tokens are unchanged. The audit log of each of your organisations records the old and the new name.',
  access: allowPerson(),
  body: PersonChange,
  examples: { aName: { name: 'Imke Janssen' } },
  replies: { 204: { description: 'The name was changed.' } },
  problems: ['timeout'],
  async run({ services, person, workScope }, { body }) {
    const name = body.name.trim();
    await unitOfWork(services.db, workScope, async ({ tx, audit }) => {
      const organisationIds = await lockOrganisationsOf(tx, person.id);
      const before = (await findPeople(tx, [person.id])).get(person.id)?.name ?? person.name;
      if (before === name) return;
      await updatePersonName(tx, person.id, name);
      for (const organisationId of organisationIds)
        audit('person.update', person.id, { name, before }, { organisationId });
    });
    return { status: 204 };
  },
});
