// Finds the key of a request, which can be behind the first page of keys.
import type { AppScope, Key } from '../../kit/api.ts';
import { useItems } from '../../kit/use-all-pages.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';

export interface KeyOfRequest {
  /** Undefined while the keys load, for a request without a key, and if the keys cannot be read. */
  key: Key | undefined;
  /** True while the key can still be found. */
  isPending: boolean;
}

/** Loads keys until the key is found. `keyId` is undefined while the request loads. */
export function useKeyOfRequest(scope: AppScope, keyId: string | null | undefined): KeyOfRequest {
  const keys = useKeys(scope);
  const key = useItems(keys, [keyId])(keyId);
  const isMissing = typeof keyId === 'string' && !key;
  return { key, isPending: !keys.isError && (keys.isPending || (isMissing && keys.hasNextPage)) };
}
