import { operation } from '../../kit/http/operation.ts';
import { displayName, namedObject } from '../../kit/http/schema.ts';
import { allowPerson } from './console-access.ts';
import { updatePersonName } from './store.ts';

const PersonChange = namedObject('PersonChange', 'A change of your profile.', { name: displayName('Your new name.') });

export const updatePerson = operation({
  id: 'updatePerson',
  route: 'PATCH /api/person',
  tag: 'Sessions',
  summary: 'Change your name',
  description:
    'Changes the name that the other members of your organisations see. The e-mail address, the sessions and the access tokens are unchanged.',
  access: allowPerson(),
  body: PersonChange,
  examples: { aName: { name: 'Imke Janssen' } },
  replies: { 204: { description: 'The name was changed.' } },
  async run({ services, person }, { body }) {
    await updatePersonName(services.db, person.id, body.name.trim());
    return { status: 204 };
  },
});
