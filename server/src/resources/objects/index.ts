// The objects of the contract's resources: their tables, and the operations that read them.
export { objectReader, type RowOf } from './object.ts';
export { getOperation, listOperation } from './reads.ts';
export { countObjects, deleteAllObjects, deleteObjects, findRow, insertObjects } from './store.ts';
export { parentOf, type SyntheticObject, type SyntheticParent, syntheticObjects } from './synthetic-objects.ts';
export { type ObjectTable, TABLES } from './tables-store.ts';
