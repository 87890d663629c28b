// The objects of the contract's resources: their tables, and the operations that read them.
export { countBelow, deleteStored } from './descendants-store.ts';
export { hasTable } from './has-table.ts';
export { linkedReader, locationOf } from './linked-object.ts';
export { objectReader, type RowOf, subjectOf } from './object.ts';
export { getOperation, listOperation } from './reads.ts';
export { countObjects, deleteAllObjects, deleteObjects, findRow, insertObjects } from './store.ts';
export {
  accountOf,
  type Fields,
  fieldNamesOf,
  idFieldOf,
  idOfKey,
  isUsableKey,
  keyOfId,
  newKey,
  type StoredObject,
  stateOf,
} from './stored-object.ts';
export {
  continueNumbers,
  countKind,
  type DueObject,
  deleteAllStored,
  findParentId,
  findStored,
  findStoredRevised,
  findSuitableObject,
  insertSandboxObjects,
  insertStored,
  listDueObjects,
  listStored,
  lockDueObject,
  lockKind,
  lockStored,
  lockSuitableObject,
  type NewStoredObject,
  nextNumber,
  postponeDue,
  raiseNumber,
  shareStored,
  updateStored,
} from './stored-object-store.ts';
export { parentOf, type SyntheticObject, type SyntheticParent, syntheticObjects } from './synthetic-objects.ts';
export { type ObjectTable, TABLES, tableOf } from './tables-store.ts';
export { findUnused } from './unused-key-store.ts';
