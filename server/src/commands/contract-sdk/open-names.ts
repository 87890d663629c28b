// The names that a contract declares, in the document of the management API. A server with a contract of an operator has
// others, so the types of the SDK accept every string.
import { contract, resources } from '../../access/contracts/index.ts';
import { EVENT_TYPES } from '../../resources/events/index.ts';

const NAMES = new Set<unknown>([
  '*',
  ...Object.keys(contract.scopes),
  ...Object.keys(contract.keyPresets),
  ...Object.keys(contract.presets),
  ...resources.map(({ kind }) => kind),
  ...EVENT_TYPES,
]);

/** Returns the document with each enum of such names, or of the operations of /v1, marked as open. */
export function withOpenNames(document: object, operationIds: readonly string[]): object {
  const isName = (one: unknown): boolean => NAMES.has(one) || operationIds.includes(String(one));
  const text = JSON.stringify(document, (_, value: unknown) => {
    const { enum: values, ...rest } = Object(value);
    const isOpen = Array.isArray(values) && values.length > 1 && values.every(isName);
    return isOpen ? { ...rest, 'x-contract-enum': values } : value;
  });
  return Object(JSON.parse(text));
}
