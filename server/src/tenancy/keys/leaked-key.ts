// A leaked key. A caller who presents the complete key may revoke it and learns its state. A response reveals nothing
// about other keys.

import { describedObject, namedObject, namedSchema, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { redactKeys } from '../../kit/text/redact.ts';

export const LeakReport = namedObject('LeakReport', 'A leaked key.', {
  key: text('The complete key.', { minLength: 1, maxLength: 256 }),
});

export const LeakedKey = namedObject('LeakedKey', 'The current state of a key that was reported as leaked.', {
  kid: text("The public half of the key's text.", { minLength: 12, maxLength: 12 }),
  state: oneOf(['revoked', 'expired'], 'The current state: `expired` if the key had expired before the report.'),
});
export type LeakedKey = Static<typeof LeakedKey>;

/** Limits a message to the number of keys that can be revoked before the sender's timeout. */
const MAX_MATCHES = 1000;

// Additional fields are accepted: GitHub may add fields to a match, and the leaked key must still be revoked.
const GithubMatch = Type.Object(
  {
    token: text('The token that GitHub found.', { maxLength: 1024 }),
    type: text('The type that GitHub assigned.', { maxLength: 256 }),
    url: Type.Optional(text('The address of the location; may be empty.', { maxLength: 4096 })),
    source: Type.Optional(text('The kind of the location.', { maxLength: 256 })),
  },
  { description: 'A token that resembles a key.' },
);
export type GithubMatch = Static<typeof GithubMatch>;

export const GithubMatches = namedSchema(
  'SecretScanningMatches',
  Type.Array(GithubMatch, { minItems: 1, maxItems: MAX_MATCHES, description: 'The tokens that GitHub found.' }),
);

const GithubFeedback = describedObject('The classification of a match.', {
  token_hash: Type.String({ description: 'SHA-256 of the token, in hex.', pattern: '^[0-9a-f]{64}$', maxLength: 64 }),
  token_type: text('The type that GitHub assigned.', { maxLength: 256 }),
  label: oneOf(['true_positive', 'false_positive'], '`true_positive`: the token is a key of this environment.'),
});
export type GithubFeedback = Static<typeof GithubFeedback>;

export const FeedbackList = namedSchema(
  'SecretScanningFeedback',
  Type.Array(GithubFeedback, {
    maxItems: MAX_MATCHES,
    description:
      'The classification of the matches. Keys of the other environment are omitted, because GitHub reports them there.',
  }),
);

const MAX_URL = 2048;

/**
 * Returns the address in a form that can be stored and shown: a web address without a key. Returns null for any other
 * address.
 */
export function toSafeUrl(url: string | undefined): string | null {
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:') return null;
  const plain = redactKeys(parsed.href);
  return plain.length <= MAX_URL ? plain : null;
}
