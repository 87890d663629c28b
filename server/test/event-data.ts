// The schema of each event type's data, as the table of event types names it among the contract's components.
import { publicDocument } from '../src/api.ts';
import { EVENT_KINDS } from '../src/features/events/index.ts';

type Components = Record<string, object>;

export function componentsOf(): Components {
  const document = publicDocument('http://sandbox.test', 'http://sandbox.test/problems');
  return (document.components as { schemas: Components }).schemas; // as kit/openapi.ts makes it
}

/** Self-contained: what it refers to is put in its place. */
export function eventData(components: Components, type: string): object {
  const name = EVENT_KINDS[type as keyof typeof EVENT_KINDS].data; // a type that was emitted
  return name === null ? { type: 'object', maxProperties: 0 } : (inline(components, components[name]) as object);
}

function inline(components: Components, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => inline(components, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return inline(components, components[String(schema.$ref).replace(/^.*\//, '')]);
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, inline(components, value)]));
}
