// A key: a bearer credential of an app with scopes and a fixed expiry. Its text is shown once, when it is made.
import { toId } from '../../kit/ids.ts';
import { closed, displayName, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/schema.ts';
import { KeyId, type Scope, ScopeSchema } from '../authority/index.ts';

export const MAX_DAYS = 30;

const name = displayName('What it is for.');
const scopes = Type.Array(ScopeSchema, {
  minItems: 1,
  maxItems: 6,
  uniqueItems: true,
  description: 'What the key may do. Give it only what it needs.',
});

export const NewKey = named(
  'NewKey',
  closed(
    {
      name,
      scopes,
      expiresInDays: Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        description: 'After how many days it expires. The expiry is fixed: it can never be moved.',
      }),
    },
    { description: 'A key to generate.' },
  ),
);

export const Key = named(
  'Key',
  closed(
    {
      id: KeyId,
      kid: text('The public half of its text, as logs show it.', { minLength: 12, maxLength: 12 }),
      name,
      scopes,
      state: oneOf(['active', 'expired', 'revoked'], 'Only an active key gives access.'),
      createdBy: text('Who generated it.', { maxLength: 320 }),
      createdAt: moment('When it was generated.'),
      expiresAt: moment('When it stops being valid.'),
      revokedAt: nullable(moment('When it was revoked.')),
      lastUsedAt: nullable(
        moment(
          'When a request was last made with it, also one that was refused; some seconds late. Null when it was never used.',
        ),
      ),
      lastUsedFrom: nullable(
        text(
          'The client address of the last request that came with the key itself, for 30 days. A call that a person makes by its id leaves it as it was.',
          { maxLength: 64 },
        ),
      ),
    },
    { description: 'A key, without its secret.' },
  ),
);
export type Key = Static<typeof Key>;

export const CreatedKey = named(
  'CreatedKey',
  closed(
    { key: Key, token: text('The whole key, shown this once and never again.', { minLength: 60, maxLength: 60 }) },
    { description: 'A new key with its secret.' },
  ),
);

export interface KeyRow {
  key_id: string;
  kid: string;
  name: string;
  scopes: Scope[];
  state: 'active' | 'revoked';
  is_expired: boolean;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_from: string | null;
}

export function toKey(row: KeyRow): Key {
  return {
    id: toId('key', row.key_id),
    kid: row.kid,
    name: row.name,
    scopes: row.scopes,
    state: row.state === 'revoked' ? 'revoked' : row.is_expired ? 'expired' : 'active',
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedFrom: row.last_used_from,
  };
}

export const exampleKey: Key = {
  id: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  kid: '7Qh2mXc04LpA',
  name: 'Staging bridge',
  scopes: ['servers:read', 'tickets:create'],
  state: 'active',
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
  expiresAt: '2026-12-02T10:15:30.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-02T11:40:02.000Z',
  lastUsedFrom: '203.0.113.7',
};
