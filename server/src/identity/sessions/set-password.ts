import { operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { allowPerson } from './console-access.ts';
import { requireReauthentication, wrongPassword } from './fresh-factor.ts';

const NewPassword = namedObject('NewPassword', 'A password to set.', {
  password: text('The new password: at least 12 characters.', { minLength: 12, maxLength: 200 }),
  currentPassword: Type.Optional(text('The current password, if there is one.', { minLength: 1, maxLength: 200 })),
});

export const setPassword = operation({
  id: 'setPassword',
  route: 'PUT /api/password',
  tag: 'Sessions',
  summary: 'Set the password',
  description:
    "Sets the password of the signed-in person, and ends the person's other sessions and each sign-in that waits for the second factor. A change requires the current password. A first password requires a sign-in within the last ten minutes.",
  access: allowPerson(),
  body: NewPassword,
  examples: { first: { password: 'a long sentence is a good one' } },
  replies: {
    204: {
      description: 'The password is set. If this response has a cookie, the cookie continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['fresh_sign_in_required', 'rate_limited'],
  async run(context, { body }) {
    const { services, person, visitor } = context;
    await requireReauthentication(context, body.currentPassword);
    const cookies = await services.identity.setPassword(person, visitor, body.password, body.currentPassword);
    if (cookies) return { status: 204, headers: { 'set-cookie': cookies } };
    throw wrongPassword();
  },
});
