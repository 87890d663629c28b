// Housekeeping: partitions and what is past its time.
export { keepHouse, startHousekeeping } from './housekeeping.job.ts';
