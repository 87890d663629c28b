// The receiver drill sends an endpoint's receiver the faults that happen to webhooks, with the drill's own events, and
// reports the result.
import { createDrill } from './create-drill.ts';
import { getDrill } from './get-drill.ts';
import { listDrills } from './list-drills.ts';

export const drillOperations = [listDrills, createDrill, getDrill];
export { startDrills } from './run-drills.job.ts';
export { countPassedDrills } from './store.ts';
