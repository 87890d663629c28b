// Housekeeping: partitions and what is past its time.
export { DEFAULT_RETENTION, keepHouse, type Retention, startHousekeeping } from './housekeeping.job.ts';
