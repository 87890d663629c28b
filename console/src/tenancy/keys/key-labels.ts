// Texts of a key: its public part, and its remaining lifetime.
import type { Key, Scope } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { SCOPE_MEANING } from '../../kit/scopes.ts';

const HOUR_MS = 3_600_000;
const SOON_DAYS = 3;

/** Returns the public part of a key, as logs contain it. No part of the secret is stored. */
export function publicText(kid: string): string {
  return `slw_${IS_PRODUCTION ? 'live' : 'test'}_${kid}…`;
}

/** Returns true if the key has a successor and will end. */
export const isRotated = (key: Key): boolean => key.endsAt !== null;

/** Returns when the key stops working. */
export const endOf = ({ endsAt, expiresAt }: Key): string => endsAt ?? expiresAt;

/** Returns the sentence of a dialog while the endpoints of a key are not read. */
export const describeUnread = (hasFailed: boolean): string =>
  hasFailed ? 'The endpoints cannot be read. To list them, close this dialog and try again.' : 'Reading the endpoints…';

/** Returns true if an endpoint can deliver through the key. */
export const canDeliver = ({ state, scopes }: Key): boolean => state === 'active' && scopes.includes('events:read');

export function daysLeft(key: Key, nowMs: number): { text: string; isSoon: boolean } | undefined {
  if (key.state !== 'active') return undefined;
  const hours = (Date.parse(endOf(key)) - nowMs) / HOUR_MS;
  if (hours < 1) return { text: 'less than an hour left', isSoon: true };
  if (hours < 24) return { text: amount(Math.floor(hours), 'hour'), isSoon: true };
  return { text: amount(Math.floor(hours / 24), 'day'), isSoon: hours < SOON_DAYS * 24 };
}

const amount = (count: number, unit: string): string => `${count} ${count === 1 ? unit : `${unit}s`} left`;

export const KEY_TONES = { active: 'good', expired: 'none', revoked: 'bad' } as const;

/** Returns the remaining share of the key's lifetime, from 0 to 1. */
export function shareLeft({ createdAt, expiresAt }: Key, nowMs: number): number {
  const [begin, end] = [Date.parse(createdAt), Date.parse(expiresAt)];
  return Math.min(1, Math.max(0, (end - nowMs) / (end - begin)));
}

/** Returns the scopes that a successor can omit. Empty if no scope was used, because a key needs at least one. */
export function unusedOf({ state, endsAt, scopes, unusedScopes }: Key): readonly Scope[] {
  if (state !== 'active' || endsAt !== null || unusedScopes === null) return [];
  return unusedScopes.length < scopes.length ? unusedScopes : [];
}

/** Returns the description of a scope, and the time of its last use. */
export function describeUse({ scopeUses, unusedScopes }: Key, scope: Scope): string {
  const use = scopeUses.find((one) => one.scope === scope);
  const meaning = SCOPE_MEANING[scope];
  if (use?.lastUsedOn) return `${meaning}. Last used on ${use.lastUsedOn}, ${use.uses} times in 30 days.`;
  return unusedScopes === null ? meaning : `${meaning}. Not used in the last 30 days.`;
}
