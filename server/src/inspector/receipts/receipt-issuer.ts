// Issues receipts: the transaction of a revocation stores each receipt unsigned, so that no committed revocation lacks
// one. The signature follows after the answer.
import type { Environment, ReceiptIssuer, UnsignedReceipt } from '../../access/authority/index.ts';
import { type PublicJwk, type SigningKey, signJws, toPublicJwk } from '../../kit/crypto/jws.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { type Observations, RECEIPT_TYPE, toReceiptPayload } from './receipt.ts';
import { deriveReceiptKey } from './receipt-key.ts';
import { findReceiptTimes, insertReceipt, listPublicKeys, storeSignature } from './store.ts';

/** Milliseconds for which the list of keys is reused, because callers without authentication request it. */
const KEYS_LIFETIME_MS = 60_000;

export interface ReceiptIssuerOptions {
  environment: Environment;
  /** The public URL of the environment. */
  issuer: string;
  masterKeys: MasterKeys;
}

interface ReceiptSigner extends Pick<ReceiptIssuerOptions, 'environment' | 'issuer'> {
  key: SigningKey;
}

/** Derives the key pair once, because the derivation takes ten times as long as a signature. */
export const createReceiptSigner = ({ environment, issuer, masterKeys }: ReceiptIssuerOptions): ReceiptSigner => ({
  environment,
  issuer,
  key: deriveReceiptKey(masterKeys, environment),
});

/** Signs a receipt unless it is signed. The times are those of the database's clock. */
export async function signReceipt(
  db: Database,
  receipt: UnsignedReceipt,
  { created_at: createdAt, at: signedAt }: { created_at: Date; at: Date },
  { environment, issuer, key }: ReceiptSigner,
  observed?: Observations,
): Promise<void> {
  const payload = toReceiptPayload(receipt, { environment, issuer, createdAt, signedAt }, observed);
  await storeSignature(db, receipt, signJws(payload, RECEIPT_TYPE, key), signedAt, key);
}

/**
 * Creates the issuer of an environment. `db` runs as slipway_manager. A receipt whose signature fails is signed by a
 * worker later (sign-interrupted-receipts.job.ts).
 */
export function createReceiptIssuer(
  db: Database,
  options: ReceiptIssuerOptions,
  onError: (error: unknown) => void,
): ReceiptIssuer & { flush(): Promise<void> } {
  const signer = createReceiptSigner(options);
  const signing = new Set<Promise<void>>();
  let listed: { keys: Promise<PublicJwk[]>; untilMs: number } | undefined;

  async function sign(...[receipt, cancelled, all, failoverWaitMs]: Parameters<ReceiptIssuer['sign']>): Promise<void> {
    const counts = await Promise.all(cancelled);
    const times = await findReceiptTimes(db, receipt);
    if (!times) return;
    const cancellations = all.filter(({ access }) => access.appId === receipt.appId);
    const sum = counts.reduce((total, count) => total + count, 0);
    await signReceipt(db, receipt, times, signer, { cancelled: sum, cancellations, failoverWaitMs });
  }

  async function listKeys(): Promise<PublicJwk[]> {
    const { publicKey } = signer.key;
    const earlier = (await listPublicKeys(db)).filter((key) => !key.equals(publicKey));
    return [publicKey, ...earlier].map(toPublicJwk);
  }

  return {
    listKeys() {
      if (listed && monotonicMs() < listed.untilMs) return listed.keys;
      const keys = listKeys();
      keys.catch(() => {
        listed = undefined;
      });
      listed = { keys, untilMs: monotonicMs() + KEYS_LIFETIME_MS };
      return keys;
    },
    store: (tx, receipt) => tx.send(insertReceipt(receipt)),
    sign(...input) {
      const signed = sign(...input)
        .catch(onError)
        .finally(() => signing.delete(signed));
      signing.add(signed);
    },
    flush: async () => void (await Promise.all(signing)),
  };
}
