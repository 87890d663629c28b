// The lease of the Console on what each environment knows of organisations, and the exchange of witnesses that comes with it.
import { extendStatusLease } from './extend-status-lease.ts';

export const leaseOperations = [extendStatusLease];
export { announceLeases, announceReported, startStatusLease } from './announce-lease.job.ts';
