// The text of a reviewer with a decision.

import { ScopeSchema } from '../../access/authority/index.ts';
import { closed, named, Type, text } from '../../kit/http/schema.ts';
import { version } from './live-access.ts';
import { maxServers } from './shown.ts';

const reason = text('Why, for the organisation and for the record.', { minLength: 1, maxLength: 2000, pattern: '\\S' });
const scopes = (description: string) =>
  Type.Array(ScopeSchema, { minItems: 1, maxItems: 6, uniqueItems: true, description });

export const LiveAccessApproval = named(
  'LiveAccessApproval',
  closed(
    {
      version,
      scopes: scopes('Those that are approved: all that were asked for, or some.'),
      maxServers: {
        ...maxServers,
        description: 'On how many servers the app may be installed from now on; null for any number.',
      },
    },
    { description: 'What of a request is approved.' },
  ),
);

export const LiveAccessRefusal = named(
  'LiveAccessRefusal',
  closed({ version, reason }, { description: 'What a reviewer asks for, or why a request is rejected.' }),
);

export const LiveAccessSuspension = named(
  'LiveAccessSuspension',
  closed({ reason }, { description: 'Why live access is suspended.' }),
);

export const LiveAccessRevocation = named(
  'LiveAccessRevocation',
  closed(
    { reason, scopes: Type.Optional(scopes('Those that are revoked; all when this is left out.')) },
    { description: 'What of live access is revoked, and why.' },
  ),
);
