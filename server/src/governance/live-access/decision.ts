// The text of a reviewer with a decision.

import { SCOPES, ScopeSchema } from '../../access/authority/index.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { version } from './live-access.ts';
import { maxServers } from './live-access-views.ts';

const reason = text('Reason for the decision. The organisation and the audit log receive it.', {
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
});
const scopes = (description: string) =>
  Type.Array(ScopeSchema, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true, description });

export const LiveAccessApproval = namedObject('LiveAccessApproval', 'The approved part of a request.', {
  version,
  scopes: scopes('Approved scopes: all requested scopes, or some of them.'),
  maxServers: {
    ...maxServers,
    description: 'Maximum number of servers on which the app may be installed. Null for no limit.',
  },
});

export const LiveAccessRefusal = namedObject(
  'LiveAccessRefusal',
  'The changes that a reviewer requests, or the reason for a rejection.',
  { version, reason },
);

export const LiveAccessSuspension = namedObject('LiveAccessSuspension', 'The reason for a suspension of live access.', {
  reason,
});

export const LiveAccessRevocation = namedObject('LiveAccessRevocation', 'The scopes to revoke, and the reason.', {
  reason,
  scopes: Type.Optional(scopes('Revoked scopes. Without this field, all scopes are revoked.')),
});
