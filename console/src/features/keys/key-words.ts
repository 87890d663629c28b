// A key in words: its public text, and how long it still lives.
import type { Key } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 3;

/** What stands in logs; the secret part is nowhere. */
export function publicText(kid: string): string {
  return `slw_${IS_PRODUCTION ? 'live' : 'test'}_${kid}…`;
}

export function daysLeft(key: Key, nowMs: number): { text: string; isSoon: boolean } | undefined {
  if (key.state !== 'active') return undefined;
  const days = (new Date(key.expiresAt).getTime() - nowMs) / DAY_MS;
  if (days < 1) return { text: 'less than a day left', isSoon: true };
  const whole = Math.floor(days);
  return { text: `${whole} ${whole === 1 ? 'day' : 'days'} left`, isSoon: days < SOON_DAYS };
}

export const KEY_TONES = { active: 'good', expired: 'none', revoked: 'bad' } as const;

/** How much of its life is left, from 0 to 1. */
export function shareLeft({ createdAt, expiresAt }: Key, nowMs: number): number {
  const [begin, end] = [Date.parse(createdAt), Date.parse(expiresAt)];
  return Math.min(1, Math.max(0, (end - nowMs) / (end - begin)));
}
