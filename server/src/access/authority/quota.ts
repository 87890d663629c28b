// The quotas of an organisation: a request that would exceed a quota is refused. The caller must have counted under a
// lock.
import { problem } from '../../kit/openapi/problems.ts';
import type { Quotas } from './organisation-store.ts';

const SENTENCES: Record<keyof Quotas, (most: number) => string> = {
  apps: (most) => `An organisation has at most ${most} apps.`,
  keysPerApp: (most) => `An app has at most ${most} valid keys.`,
  endpointsPerApp: (most) => `An app has at most ${most} endpoints.`,
};

export function requireQuota(quotas: Quotas, of: keyof Quotas, count: number): void {
  if (count < quotas[of]) return;
  throw problem('quota_exceeded', { detail: SENTENCES[of](quotas[of]) });
}

/**
 * Requires room for a successor. A rotation must not fail when it is needed, so each key may have one successor above
 * the quota. Successors of successors have no room while all of them overlap.
 */
export function requireSuccessorQuota({ keysPerApp }: Quotas, validKeys: number): void {
  if (validKeys < 2 * keysPerApp) return;
  const detail = `An app has at most ${keysPerApp} valid keys, and as many successors of rotated keys. Rotate without an overlap, or revoke a key first.`;
  throw problem('quota_exceeded', { detail });
}
