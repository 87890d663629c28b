import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { visitor } from '../sessions/index.ts';
import { canonicalEmail, EmailToMail } from './account.ts';
import { insertLinkRequest, MAX_PER_NETWORK } from './store.ts';

export const requestPasswordReset = operation({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/api/password-resets',
  tag: 'Accounts',
  summary: 'Ask for a new password',
  description:
    'Mails a link to choose a new password, when there is an account with this address. The answer is the same when there is none.',
  access: visitor(),
  body: EmailToMail,
  examples: { anAddress: { email: 'imke@example.org' } },
  replies: { 202: { description: 'Asked. What follows comes by mail, if anything does.' } },
  problems: ['rate_limited'],
  async run({ services, visitor }, { body }) {
    const email = canonicalEmail(body.email);
    const count = await insertLinkRequest(services.db, { purpose: 'password_reset', email, address: visitor.address });
    if (count >= MAX_PER_NETWORK) throw problem('rate_limited', { headers: { 'retry-after': '3600' } });
    return { status: 202 };
  },
});
