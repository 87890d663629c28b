// How much an organisation may have: refused where one more would be too many. Who asks has counted under a lock.
import { problem } from '../../kit/openapi/problems.ts';
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

/**
 * A rotation must not fail when it is needed: beside each key there is room for its successor. But not for a successor's
 * successor, and so on, as long as they overlap.
 */
export function requireRoomForSuccessor({ keysPerApp }: Quotas, validKeys: number): void {
  if (validKeys < 2 * keysPerApp) return;
  const detail = `An app has at most ${keysPerApp} valid keys, and as many successors beside them. Rotate without an overlap, or revoke a key first.`;
  throw problem('quota_exceeded', { detail });
}
