// Keys: bearer credentials with scopes and a fixed expiry. The secret of a key is shown once.
import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { reportGithubMatches } from './report-github-matches.ts';
import { reportLeakedKey } from './report-leaked-key.ts';
import { revokeKey } from './revoke-key.ts';
import { revokeKeysMadeBy } from './revoke-keys-made-by.ts';
import { rotateKey } from './rotate-key.ts';
import { updateKey } from './update-key.ts';

export const keyOperations = [listKeys, createKey, updateKey, rotateKey, revokeKey, revokeKeysMadeBy];
/** Operations of the public listener. */
export const leakOperations = [reportLeakedKey, reportGithubMatches];
export { createBrowserUses } from './browser-uses.ts';
export { startPepperCount } from './count-peppers.job.ts';
export { readSigningKeys, type SigningKeys } from './github-signature.ts';
export { MAX_DAYS as MAX_KEY_DAYS } from './key.ts';
export { createLastUses } from './last-uses.ts';
export { makeKey } from './make-key.ts';
export { countByPepper } from './pepper-store.ts';
export { createRenewals } from './renewals.ts';
export { revokeKeysOfApp } from './store.ts';
export { startExpiryWarnings } from './warn-of-expiry.job.ts';
