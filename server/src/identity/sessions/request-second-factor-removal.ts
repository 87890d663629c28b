import { accepted, operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowPerson } from './console-access.ts';
import { requireReauthentication } from './fresh-factor.ts';
import { composeRemovalRequestMail } from './mails.ts';
import { exampleRemoval, SecondFactorRemoval, toRemoval } from './second-factor-removal.ts';
import { findRemoval, insertRemoval } from './second-factor-removal-store.ts';
import { countSecurityChange } from './security-change-store.ts';

const NewRemoval = namedObject('SecondFactorRemovalInput', 'A request to remove the second factor.', {
  currentPassword: Type.Optional(text('Your password, if you have one.', { minLength: 1, maxLength: 200 })),
});

export const requestSecondFactorRemoval = operation({
  id: 'requestSecondFactorRemoval',
  route: 'POST /api/second-factor/removal',
  tag: 'Sessions',
  summary: 'Request the removal of a lost second factor',
  description:
    'Removes the second factor after 24 hours, for a person who has neither the authenticator nor a recovery code. It requires the password, or a sign-in within the last ten minutes if there is no password. A mail announces the removal and can cancel it. The person cannot create production keys from the request until a new second factor is 24 hours old. A second request returns the pending removal. After five new requests in one UTC day, further requests are refused with `rate_limited` until the next day.',
  access: allowPerson(),
  body: NewRemoval,
  examples: { withPassword: { currentPassword: 'a long sentence is a good one' } },
  replies: accepted('The removal is pending.', SecondFactorRemoval, { pending: exampleRemoval }),
  problems: ['conflict', 'fresh_sign_in_required', 'rate_limited'],
  async run(context, { body }) {
    const { services, person } = context;
    if (!(await services.identity.secondFactor.isOn(person.id))) {
      throw problem('conflict', { detail: 'There is no second factor.' });
    }
    await requireReauthentication(context, body.currentPassword);
    const row = await services.db.transaction(async (tx) => {
      const created = await insertRemoval(tx, person.id);
      if (created) {
        await countSecurityChange(tx, person.id, 'second_factor_removal');
        await queueMail(tx, composeRemovalRequestMail(person.email, services.consoleUrl, created));
      }
      return findRemoval(tx, person.id);
    });
    if (!row) throw problem('conflict', { detail: 'The removal was cancelled at the same time.' });
    return { status: 202, body: toRemoval(row) };
  },
});
