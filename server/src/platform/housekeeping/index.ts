// Housekeeping: creates partitions and deletes expired rows.
export { DEFAULT_RETENTION, keepHouse, type Retention, startHousekeeping } from './housekeeping.job.ts';
