// Validates an event against the schema of its type and version in the contract's webhooks.

import { schemaErrors, type TSchema } from '../src/kit/http/schema.ts';
import { publicDocument } from '../src/listeners/sandbox-api.ts';

type Components = Record<string, object>;

function componentsOf(): Components {
  const document = publicDocument('http://sandbox.test', 'http://sandbox.test/problems');
  return (document.components as { schemas: Components }).schemas; // as kit/openapi/openapi.ts builds it
}

let components: Components | undefined;

/** Returns the errors of an event. Throws for a type or version that the contract does not have. */
export function eventErrors(event: { type: string; schemaVersion: number }): unknown[] {
  components ??= componentsOf();
  const words = event.type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const name = `${words.join('')}V${event.schemaVersion}`;
  const schema = components[name];
  if (schema === undefined) throw new Error(`The contract has no ${name}.`);
  return schemaErrors(inline(components, schema) as TSchema, event); // a schema of the document is JSON Schema
}

/** Returns a self-contained schema with each reference replaced by its target. */
function inline(all: Components, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => inline(all, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return inline(all, all[String(schema.$ref).replace(/^.*\//, '')]);
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, inline(all, value)]));
}
