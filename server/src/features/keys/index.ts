// Keys: bearer credentials with scopes and a fixed expiry, shown once.
import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { revokeKeysMadeBy } from './revoke-keys-made-by.ts';
import { rotateKey } from './rotate-key.ts';
import { updateKey } from './update-key.ts';

export const keyOperations = [listKeys, createKey, updateKey, rotateKey, revokeKey, revokeKeysMadeBy];
export { createLastUses } from './last-uses.ts';
export { makeKey } from './make-key.ts';
