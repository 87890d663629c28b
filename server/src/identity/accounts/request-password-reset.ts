import { operation } from '../../kit/http/operation.ts';
import { allowVisitor } from '../sessions/index.ts';
import { EmailToMail } from './account.ts';
import { requestLink } from './request-link.ts';

export const requestPasswordReset = operation({
  id: 'requestPasswordReset',
  route: 'POST /api/password-resets',
  tag: 'Accounts',
  summary: 'Ask for a new password',
  description:
    'Mails a link to choose a new password, if this address has an account. The response is the same without an account.',
  access: allowVisitor(),
  body: EmailToMail,
  examples: { anAddress: { email: 'imke@example.org' } },
  replies: {
    202: { description: 'The request was accepted. If the address has an account, the link follows by mail.' },
  },
  problems: ['rate_limited'],
  run: ({ services, visitor }, { body }) =>
    requestLink(services, { purpose: 'password_reset', email: body.email, address: visitor.address }),
});
