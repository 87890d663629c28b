// The first run: the owner, the demo, and the text that shows their secrets once.
export { type FirstRun, firstRunBlock, removeNote, writeNote } from './first-run-note.ts';
export { DEMO_SCOPES, type NewDemo, seedDemo } from './seed-demo.ts';
export { findFact, setFact } from './store.ts';
