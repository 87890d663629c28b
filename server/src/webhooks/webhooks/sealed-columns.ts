// The sealed columns of an endpoint and the binding of each, and the resealing of a row under another master key. A new
// sealed column needs an entry here and in secret-store.ts.

import { type MasterKeys, reseal } from '../../kit/crypto/seal.ts';
import { headersBinding } from './custom-headers.ts';
import { secretBinding } from './endpoint.ts';

const BINDINGS = {
  sealed_secret: secretBinding,
  sealed_previous_secret: secretBinding,
  sealed_headers: headersBinding,
} as const satisfies Record<string, (endpointId: string) => string>;

type SealedColumn = keyof typeof BINDINGS;
export const SEALED_COLUMNS = Object.keys(BINDINGS);

export interface SealedRow extends Record<SealedColumn, Buffer | null> {
  app_id: string;
  endpoint_id: string;
}

/**
 * Reseals a row under the current master key. Throws if a value cannot be opened; the error does not contain the value.
 */
export function resealRow(row: SealedRow, masterKeys: MasterKeys): SealedRow {
  const resealed = { ...row };
  for (const [column, bindingOf] of Object.entries(BINDINGS) as [SealedColumn, (endpointId: string) => string][]) {
    const sealed = row[column];
    resealed[column] = sealed && reseal(sealed, bindingOf(row.endpoint_id), masterKeys);
  }
  return resealed;
}

const versionOf = (keyId: string): number => Number(keyId.slice(1));

/**
 * Returns the master keys from before the current one. Values are never resealed to an earlier key: otherwise two
 * processes in the middle of a rotation would undo each other's work.
 */
export function earlierKeys({ current, keys }: MasterKeys): string[] {
  return Object.keys(keys).filter((keyId) => versionOf(keyId) < versionOf(current));
}
