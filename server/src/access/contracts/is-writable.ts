// Whether the requests of an operator's contract change objects of a resource.
import type { AnyResource } from './declaration.ts';

/** Returns true if requests may change objects of the resource, or delete them with an object above them. */
export const isWritable = ({ origin, operations = {}, onDue, parent }: AnyResource): boolean =>
  origin === 'made' ||
  onDue !== undefined ||
  Object.values(operations).some(({ method }) => method !== 'GET') ||
  (parent !== undefined && isDeletable(parent));

/** Returns true if requests may delete objects of the resource, or objects above them. */
const isDeletable = ({ operations = {}, parent }: AnyResource): boolean =>
  Object.values(operations).some(({ effect }) => effect === 'delete') || (parent !== undefined && isDeletable(parent));
