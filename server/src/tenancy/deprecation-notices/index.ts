// Announces deprecations to the apps that use them.
export { announceDeprecations, startDeprecationNotices } from './announce-deprecations.job.ts';
