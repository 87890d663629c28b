import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { visitor } from '../sessions/index.ts';
import { canonicalEmail, EmailToMail } from './account.ts';
import { insertLinkRequest, MAX_PER_NETWORK } from './store.ts';

export const requestSignUp = operation({
  id: 'requestSignUp',
  method: 'POST',
  path: '/api/sign-ups',
  tag: 'Accounts',
  summary: 'Ask to sign up',
  description:
    'Mails a link to whoever may sign up, and to whoever has an account already a word about that. The answer is the same for every address: who may, whom somebody invited and who has an account is for nobody else to know.',
  access: visitor(),
  body: EmailToMail,
  examples: { anAddress: { email: 'imke@example.org' } },
  replies: { 202: { description: 'Asked. What follows comes by mail, if anything does.' } },
  problems: ['rate_limited'],
  async run({ services, visitor }, { body }) {
    const email = canonicalEmail(body.email);
    const count = await insertLinkRequest(services.db, { purpose: 'sign_up', email, address: visitor.address });
    if (count >= MAX_PER_NETWORK) throw problem('rate_limited', { headers: { 'retry-after': '3600' } });
    return { status: 202 };
  },
});
