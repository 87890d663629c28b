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
export { createBrowserUseRecorder } from './browser-use-recorder.ts';
export { startPepperCount } from './count-peppers.job.ts';
export { readSigningKeys, type SigningKeys } from './github-signature.ts';
export { MAX_DAYS as MAX_KEY_DAYS } from './key.ts';
export { createLastUseRecorder } from './last-use-recorder.ts';
export { makeKey } from './make-key.ts';
export { countByPepper } from './pepper-store.ts';
export { revokeKeysOfApp } from './store.ts';
export { createVerifierRenewalRecorder } from './verifier-renewal-recorder.ts';
export { startExpiryWarnings } from './warn-about-expiry.job.ts';
