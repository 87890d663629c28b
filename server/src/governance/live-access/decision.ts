// The text of a reviewer with a decision.

import { ScopeSchema } from '../../access/authority/index.ts';
import { namedSchema, strictObject, Type, text } from '../../kit/http/schema.ts';
import { version } from './live-access.ts';
import { maxServers } from './live-access-views.ts';

const reason = text('Reason for the decision. The organisation and the audit log receive it.', {
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
});
const scopes = (description: string) =>
  Type.Array(ScopeSchema, { minItems: 1, maxItems: 6, uniqueItems: true, description });

export const LiveAccessApproval = namedSchema(
  'LiveAccessApproval',
  strictObject(
    {
      version,
      scopes: scopes('Approved scopes: all requested scopes, or some of them.'),
      maxServers: {
        ...maxServers,
        description: 'Maximum number of servers on which the app may be installed. Null for no limit.',
      },
    },
    { description: 'The approved part of a request.' },
  ),
);

export const LiveAccessRefusal = namedSchema(
  'LiveAccessRefusal',
  strictObject(
    { version, reason },
    { description: 'The changes that a reviewer requests, or the reason for a rejection.' },
  ),
);

export const LiveAccessSuspension = namedSchema(
  'LiveAccessSuspension',
  strictObject({ reason }, { description: 'The reason for a suspension of live access.' }),
);

export const LiveAccessRevocation = namedSchema(
  'LiveAccessRevocation',
  strictObject(
    { reason, scopes: Type.Optional(scopes('Revoked scopes. Without this field, all scopes are revoked.')) },
    { description: 'The scopes to revoke, and the reason.' },
  ),
);
