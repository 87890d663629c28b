// The Console's lease on an environment's knowledge of organisations, and the exchange of audit heads that detects a
// rollback.
import { extendStatusLease } from './extend-status-lease.ts';

export const leaseOperations = [extendStatusLease];
export { announceLeases, announceReported, startStatusLease } from './announce-lease.job.ts';
