import { operation } from '../../kit/http/operation.ts';
import { visitor } from '../sessions/index.ts';
import { EmailToMail } from './account.ts';
import { askForLink } from './ask-for-link.ts';

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
  run: ({ services, visitor }, { body }) =>
    askForLink(services, { purpose: 'sign_up', email: body.email, address: visitor.address }),
});
