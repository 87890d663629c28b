// Housekeeping: creates partitions and deletes expired rows.
export { DEFAULT_RETENTION, type Retention, runHousekeeping, startHousekeeping } from './housekeeping.job.ts';
