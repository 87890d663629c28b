// A person who is signed in to the Console, and the organisations that they belong to.
import { closed, named, Type, text } from '../../kit/schema.ts';
import { OrganisationId, RoleSchema } from '../authority/index.ts';

export const Membership = named(
  'Membership',
  closed(
    { id: OrganisationId, name: text("The organisation's name.", { maxLength: 100 }), role: RoleSchema },
    { description: 'An organisation that the person belongs to.' },
  ),
);

export const Session = named(
  'Session',
  closed(
    {
      person: named(
        'Person',
        closed(
          {
            email: text('Their e-mail address.', { maxLength: 320 }),
            name: text('Their name.', { maxLength: 100 }),
            hasPassword: Type.Boolean({ description: 'Whether they can sign in again with a password.' }),
          },
          { description: 'Who is signed in.' },
        ),
      ),
      organisations: Type.Array(Membership, { maxItems: 1000, description: 'Where they belong, oldest first.' }),
    },
    { description: 'Who is signed in, and where they belong.' },
  ),
);

export const exampleSession = {
  person: { email: 'imke@example.org', name: 'Imke', hasPassword: true },
  organisations: [{ id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6', name: 'Harbour Tools', role: 'owner' }],
};
