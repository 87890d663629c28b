// The synthetic world of an app, made of every feature's part of it.
export { makeWorld, SMALL_WORLD, type WorldSize } from './make-world.ts';
