// The synthetic world of an app, made of every feature's part of it: made, reset, and living on a clock. The sandbox's alone.
import { getWorld } from './get-world.ts';
import { resetWorld } from './reset-world.ts';
import { setWorldClock } from './set-world-clock.ts';
import { triggerEvent } from './trigger-event.ts';

export const worldOperations = [getWorld, resetWorld, setWorldClock, triggerEvent];
export { liveDueWorlds, startWorlds } from './live-worlds.job.ts';
export { makeWorld } from './make-world.ts';
export { FIRST_WORLD, PRESET_KINDS, type WorldSize, type WorldSpec } from './world.ts';
