// An app's keys in each possible state, and the credentials to send.
import { computeVerifier, newKeyToken, type Peppers } from '../../src/access/authority/index.ts';
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { type Row, type RowCopier, uuidOf } from './copied-rows.ts';
import { KEYS, type SweepKey, scopesOf } from './model.ts';
import { swept } from './swept.ts';

export interface SweptKeys {
  /** Returns the credential for an operation with these required scopes; undefined for no header. */
  token(state: SweepKey, needs: readonly string[]): string | undefined;
  /** Returns the identifier of the same key; undefined if no row exists. */
  id(state: SweepKey, needs: readonly string[]): string | undefined;
}

/** The scopes that operations and lists require, each set once. */
const NEEDS: readonly (readonly string[])[] = [
  ...new Map(
    [[], ...swept.scopes.map((scope) => [scope]), ...Object.values(swept.rules).map(scopesOf)].map((needs) => [
      needs.join(' '),
      needs,
    ]),
  ).values(),
];

const DAY_MS = 86_400_000;
const at = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const DATED: Partial<Record<SweepKey, Row>> = {
  expired: { created_at: at(-30), expires_at: at(-1) },
  revoked: { state: 'revoked', revoked_at: at(-1), revoked_by: 'someone' },
  'rotated, not ended': { ends_at: at(0.5) },
  'rotated, ended': { ends_at: at(-0.5) },
};

/** Returns the scopes of a key. Without one of the required scopes, the key has every other one. */
function keyScopes(state: SweepKey, needs: readonly string[]): readonly string[] {
  if (needs.length === 0 || state === 'wrong secret') return swept.scopes;
  return state === 'without scope' ? swept.scopes.filter((scope) => scope !== needs.at(-1)) : needs;
}

/** Creates the keys as copies of the app's key `keyId`. */
export async function insertKeys(db: RowCopier, appId: string, keyId: string, peppers: Peppers): Promise<SweptKeys> {
  const template = await db.rowOf('keys', { key_id: uuidOf(keyId) });
  const app_id = uuidOf(appId);
  const pepper = peppers.keys[peppers.current];
  if (!pepper) throw new Error('There is no pepper.');
  const rows: Row[] = [];
  const made = new Map<string, { id: string | undefined; token: string | undefined }>();
  for (const state of KEYS) {
    for (const needs of NEEDS) {
      const { kid, token } = newKeyToken(state === 'other environment' ? 'production' : 'sandbox');
      const key_id = newUuid();
      const isKept = DATED[state] || ['active', 'without scope', 'wrong secret'].includes(state);
      // A wrong secret meets the verifier of another key with the same public half.
      const kept = state === 'wrong secret' ? newKeyToken('sandbox').token : token;
      const verifier = `\\x${computeVerifier(kept, pepper).toString('hex')}`;
      if (isKept)
        rows.push({ ...template, app_id, key_id, kid, verifier, scopes: keyScopes(state, needs), ...DATED[state] });
      const sent = state === 'missing' ? undefined : state === 'malformed' ? token.slice(0, -1) : token;
      made.set(`${state} ${needs.join(' ')}`, { id: isKept ? toId('key', key_id) : undefined, token: sent });
    }
  }
  await db.insert('keys', rows);
  return {
    token: (state, needs) => made.get(`${state} ${needs.join(' ')}`)?.token,
    id: (state, needs) => made.get(`${state} ${needs.join(' ')}`)?.id,
  };
}
