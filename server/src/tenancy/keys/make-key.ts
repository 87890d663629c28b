// Creates a key: generates its text, stores the verifier, and returns the text once.

import { computeVerifier, newKeyToken, type Plane, type Scope, type Tenant } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { KeyRow } from './key.ts';
import { insertKey } from './store.ts';

interface KeyOptions {
  name: string;
  note?: string | null | undefined;
  scopes: readonly Scope[];
  expiresInDays: number;
  createdBy: string;
  predecessorId?: string;
  allowedCidrs?: readonly string[] | null | undefined;
}

export async function makeKey(
  tenant: Tenant,
  plane: Pick<Plane, 'environment' | 'secrets'>,
  input: KeyOptions,
): Promise<{ row: KeyRow; token: string }> {
  const { current, keys } = plane.secrets.peppers;
  const pepper = keys[current];
  if (!pepper) throw new Error(`There is no pepper of version ${current}.`);
  const { kid, token } = newKeyToken(plane.environment);
  const row = await insertKey(tenant, {
    ...input,
    note: input.note ?? null,
    predecessorId: input.predecessorId ?? null,
    allowedCidrs: input.allowedCidrs ?? null,
    keyId: newUuid(),
    kid,
    verifier: computeVerifier(token, pepper),
    pepperVersion: current,
  });
  return { row, token };
}
