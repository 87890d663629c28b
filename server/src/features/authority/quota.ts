// How much an organisation may have: refused where one more would be too many. Who asks has counted under a lock.
import { problem } from '../../kit/problems.ts';
import type { Quotas } from './organisation-store.ts';

const SENTENCES: Record<keyof Quotas, (most: number) => string> = {
  apps: (most) => `An organisation has at most ${most} apps.`,
  keysPerApp: (most) => `An app has at most ${most} valid keys.`,
  endpointsPerApp: (most) => `An app has at most ${most} endpoints.`,
};

export function requireRoom(quotas: Quotas, of: keyof Quotas, count: number): void {
  if (count < quotas[of]) return;
  throw problem('quota_exceeded', { detail: SENTENCES[of](quotas[of]) });
}
