// Which fields of a body the contract marks as sensitive.
import type { TSchema } from '../../kit/http/schema.ts';
import { describe, fieldSchemas, isSensitiveValue, namedFields, partSchemas } from '../../kit/http/schema-parts.ts';
import type { KnownOperation } from '../snippets/index.ts';

/**
 * Returns the names of all fields that the requests of these operations mark as sensitive. A response and an event
 * repeat such fields under the same name, but their schemas do not have the mark.
 */
export function collectSensitiveNames(operations: readonly Pick<KnownOperation, 'body'>[]): Set<string> {
  const names = new Set<string>();
  const seen = new Set<TSchema>();
  const collect = (schema: TSchema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const described = describe([schema]);
    for (const name of namedFields(described))
      if (isSensitiveValue(describe(fieldSchemas(described, name)))) names.add(name);
    for (const part of described.flatMap(partSchemas)) collect(part);
  };
  for (const { body } of operations) if (body) collect(body);
  return names;
}
