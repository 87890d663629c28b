import { operation } from '../../kit/http/operation.ts';
import { allowVisitor } from '../sessions/index.ts';
import { EmailToMail } from './account.ts';
import { requestLink } from './request-link.ts';

export const requestSignUp = operation({
  id: 'requestSignUp',
  route: 'POST /api/sign-ups',
  tag: 'Accounts',
  summary: 'Ask to sign up',
  description:
    'Mails a sign-up link if the address may sign up, or a notice if it already has an account. The response is the same for each address, so it does not reveal whether the address may sign up, is invited or has an account.',
  access: allowVisitor(),
  body: EmailToMail,
  examples: { anAddress: { email: 'imke@example.org' } },
  replies: {
    202: {
      description: 'The request was accepted. A link or a notice follows by mail, if the address may receive one.',
    },
  },
  problems: ['rate_limited'],
  run: ({ services, visitor }, { body }) =>
    requestLink(services, { purpose: 'sign_up', email: body.email, address: visitor.address }),
});
