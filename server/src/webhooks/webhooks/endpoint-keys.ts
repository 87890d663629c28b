// The keys in the input of an endpoint: `keyIds` in their order, or `keyId` for one key. Pure.

import { KeyId } from '../../access/authority/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import { Type } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';

const MAX_KEYS = 5;

/** Returns the schema of an ordered list of keys. */
export const keyList = (description: string) =>
  Type.Array(KeyId, { minItems: 1, maxItems: MAX_KEYS, uniqueItems: true, description });

interface KeysInput {
  keyId?: string;
  keyIds?: readonly string[];
}

/** A key that the input names, with its place in the body. */
interface NamedKey {
  pointer: string;
  keyId: string;
}

export function namedKeys({ keyId, keyIds = [] }: KeysInput): NamedKey[] {
  const one = keyId === undefined ? [] : [{ pointer: '/keyId', keyId }];
  return [...one, ...keyIds.map((id, at) => ({ pointer: `/keyIds/${at}`, keyId: id }))];
}

/** Refuses an input with both forms, and the input of a new endpoint without any. */
export function validateKeyForm({ keyId, keyIds }: KeysInput, isNew: boolean): InvalidPart[] {
  if (keyId !== undefined && keyIds !== undefined) {
    return [{ pointer: '/keyIds', detail: 'must not be given together with keyId' }];
  }
  const isMissing = isNew && keyId === undefined && keyIds === undefined;
  return isMissing ? [{ pointer: '/keyIds', detail: 'requires a key, in keyIds or keyId' }] : [];
}

/** Returns the uuids of the keys after the change. `keyId` replaces the first key and keeps the further ones. */
export function changedKeyIds({ keyId, keyIds }: KeysInput, current: readonly string[] = []): readonly string[] {
  if (keyIds !== undefined) return keyIds.map((id) => toUuid('key', id));
  if (keyId === undefined) return current;
  const first = toUuid('key', keyId);
  return [first, ...current.slice(1).filter((one) => one !== first)];
}
