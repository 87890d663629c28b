// The fields of a declared resource that a trigger of an event can set.
import type { AnyResource } from '../../access/contracts/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { isSetByPlatform } from '../../resources/operations/index.ts';

/**
 * Returns the fields that the data of the event contains, without identifiers, the state and times of the platform. A
 * deletion has none, because its event reports the object as it was.
 */
export function objectEventFields(resource: AnyResource, type: string): Record<string, TSchema> {
  const { events, data, fields } = resource;
  if (!events[type] || events[type].deletes) return {};
  const inData: object = Object(Reflect.get(data[type]?.at(-1)?.schema ?? {}, 'properties'));
  const isSettable = (name: string): boolean => Object.hasOwn(inData, name) && !isSetByPlatform(resource, name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSettable(name)));
}
