// Remembers the opened signing secrets and headers of endpoints, because opening them takes longer than signing. An
// entry is valid only for the sealed bytes from which it was opened.
import { LRUCache } from 'lru-cache';
import type { MasterKeys } from '../../../kit/crypto/seal.ts';
import type { Secret } from '../../../kit/crypto/secret.ts';
import { customHeadersOf, openSecrets, type SealedSecretsRow } from '../../webhooks/index.ts';
import { confidentialOf } from './mask-echo.ts';

interface SealedEndpoint extends SealedSecretsRow {
  sealed_headers: Buffer | null;
}

export interface UnsealedEndpoint {
  custom: Readonly<Record<string, string>>;
  /** All secrets that sign now. */
  secrets: readonly Secret[];
  /** Confidential values of headers and secrets, which are masked in responses. */
  confidential: readonly string[];
}

export type UnsealEndpoint = (row: SealedEndpoint) => UnsealedEndpoint;

/** Number of remembered endpoints. */
const MAX_UNSEALED = 1_000;

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

export function createUnsealer(masterKeys: MasterKeys): UnsealEndpoint {
  const known = new LRUCache<string, { row: SealedEndpoint; opened: UnsealedEndpoint }>({ max: MAX_UNSEALED });
  return (row) => {
    const before = known.get(row.endpoint_id);
    if (
      before !== undefined &&
      isSame(before.row.sealed_secret, row.sealed_secret) &&
      isSame(before.row.sealed_previous_secret, row.sealed_previous_secret) &&
      isSame(before.row.sealed_headers, row.sealed_headers)
    ) {
      return before.opened;
    }
    const [custom, secrets] = [customHeadersOf(row, masterKeys), openSecrets(row, masterKeys)];
    const opened = { custom, secrets, confidential: confidentialOf(custom, secrets) };
    const { endpoint_id, sealed_secret, sealed_previous_secret, sealed_headers } = row;
    known.set(endpoint_id, { row: { endpoint_id, sealed_secret, sealed_previous_secret, sealed_headers }, opened });
    return opened;
  };
}
