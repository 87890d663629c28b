// The synthetic data of an app (its "world"), assembled from the data of each feature: created, reset, and changed on a
// clock. Sandbox only.
import { getWorld } from './get-world.ts';
import { resetWorld } from './reset-world.ts';
import { setWorldClock } from './set-world-clock.ts';
import { triggerEvent } from './trigger-event.ts';

export const worldOperations = [getWorld, resetWorld, setWorldClock, triggerEvent];
export { settableFields } from './event-content.ts';
export { makeWorld } from './make-world.ts';
export { runDueWorlds, startWorldTicks } from './run-worlds.job.ts';
export { DEFAULT_WORLD, PRESET_KINDS, type WorldSpec } from './world.ts';
