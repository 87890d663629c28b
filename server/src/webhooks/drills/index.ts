// The receiver drill: what an endpoint's receiver makes of what really happens to webhooks, with events of the drill's own.
import { createDrill } from './create-drill.ts';
import { getDrill } from './get-drill.ts';
import { listDrills } from './list-drills.ts';

export const drillOperations = [listDrills, createDrill, getDrill];
export { startDrills } from './run-drills.job.ts';
export { countDrilled } from './store.ts';
