import { operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import {
  allowPerson,
  countSecurityChange,
  hasOrHadFactor,
  isEmailTaken,
  listEarlierEmails,
  lockPerson,
  requireFreshFactor,
  requireLiveSession,
  requireReauthentication,
} from '../sessions/index.ts';
import { canonicalEmail, emailAddress } from './account.ts';
import { composeEmailChangeMail, composeEmailTakenMail } from './mails.ts';
import { insertChangeLink } from './store.ts';

/** Bounds the addresses whose keys are revoked with a member. */
const MAX_EARLIER_EMAILS = 100;

const NewEmail = namedObject('EmailChangeInput', 'A new e-mail address for your account.', {
  email: emailAddress('The new address.'),
  currentPassword: Type.Optional(text('Your password, if you have one.', { minLength: 1, maxLength: 200 })),
});

export const requestEmailChange = operation({
  id: 'requestEmailChange',
  route: 'POST /api/email-changes',
  tag: 'Accounts',
  summary: 'Request a new e-mail address',
  description:
    'Mails a link to the new address. The address changes when you confirm the link in a session of yours (`confirmEmailChange`). It requires your password, or a sign-in within the last ten minutes if you have no password. It also requires a recently confirmed second factor, if you have or had one. The response is the same for each address: if the address has an account, it receives a notice in place of the link. A new request voids the previous link. After five requests in one UTC day, further requests are refused with `rate_limited` until the next day.',
  access: allowPerson(),
  body: NewEmail,
  examples: { withPassword: { email: 'imke@example.com', currentPassword: 'a long sentence is a good one' } },
  replies: {
    202: { description: 'The request was accepted. A link or a notice is mailed to the new address.' },
  },
  problems: ['conflict', 'fresh_sign_in_required', 'quota_exceeded', 'rate_limited', 'second_factor_required'],
  async run(context, { body }) {
    const { services, person } = context;
    const { db, consoleUrl } = services;
    const email = canonicalEmail(body.email);
    if (email === person.email) throw problem('conflict', { detail: 'Your account has this address already.' });
    await requireReauthentication(context, body.currentPassword);
    if (await hasOrHadFactor(context, db)) await requireFreshFactor({ ...context, actor: { kind: 'person' } });
    await db.transaction(async (tx) => {
      await lockPerson(tx, person.id);
      await requireLiveSession({ ...context, tx });
      await countSecurityChange(tx, person.id, 'email_change');
      if ((await listEarlierEmails(tx, person.id)).length >= MAX_EARLIER_EMAILS) throw tooManyEmails();
      // The link also exists for a taken address, which does not receive it, so that both requests take the same time.
      const token = await insertChangeLink(tx, person.id, email);
      const isTaken = await isEmailTaken(tx, email);
      await queueMail(
        tx,
        isTaken ? composeEmailTakenMail(email, consoleUrl) : composeEmailChangeMail(email, consoleUrl, person, token),
      );
    });
    return { status: 202 };
  },
});

const tooManyEmails = () =>
  problem('quota_exceeded', { detail: `An account can change its address ${MAX_EARLIER_EMAILS} times.` });
