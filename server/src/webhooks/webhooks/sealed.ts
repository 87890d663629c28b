// What is sealed with an endpoint, to what each seal is bound, and the same under another master key. A new column that holds
// a seal needs a line here and in secret-store.ts.

import { type MasterKeys, reseal } from '../../kit/crypto/seal.ts';
import { headersBinding } from './custom-headers.ts';
import { secretBinding } from './endpoint.ts';

const BINDINGS = {
  sealed_secret: secretBinding,
  sealed_previous_secret: secretBinding,
  sealed_headers: headersBinding,
} as const satisfies Record<string, (endpointId: string) => string>;

type Sealing = keyof typeof BINDINGS;
export const SEALED_COLUMNS = Object.keys(BINDINGS);

export interface SealedRow extends Record<Sealing, Buffer | null> {
  app_id: string;
  endpoint_id: string;
}

/** Throws where a seal cannot be opened, without a word of what is in it. */
export function resealRow(row: SealedRow, masterKeys: MasterKeys): SealedRow {
  const resealed = { ...row };
  for (const [column, bindingOf] of Object.entries(BINDINGS) as [Sealing, (endpointId: string) => string][]) {
    const sealed = row[column];
    resealed[column] = sealed && reseal(sealed, bindingOf(row.endpoint_id), masterKeys);
  }
  return resealed;
}

const versionOf = (keyId: string): number => Number(keyId.slice(1));

/** The master keys from before the current one: never back, or two processes in the middle of a rotation would undo each other. */
export function earlierKeys({ current, keys }: MasterKeys): string[] {
  return Object.keys(keys).filter((keyId) => versionOf(keyId) < versionOf(current));
}
