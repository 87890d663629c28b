// The contract without shared responses and examples, for tests that look at one operation.

const SHARED = /^#\/components\/(responses|examples)\/(.*)$/;

/** Returns a copy of a document with each reference to a shared response or example replaced by its target. */
export function inlineShared<T extends object>(document: T): T {
  const components: Record<string, Record<string, unknown>> = Object(Reflect.get(document, 'components'));
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind = '', name = ''] = ('$ref' in value && SHARED.exec(String(value.$ref))) || [];
    if (kind !== '') return inline(components[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]));
  };
  return inline(document) as T; // the same structure
}

/**
 * Returns a copy of a document that accepts no further field or value: Slipway itself sends none that the contract does
 * not name.
 */
export function closeResponses<T extends object>(document: T): T {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== 'object' || value === null) return value;
    const { 'x-extensible-enum': values, ...rest }: Record<string, unknown> = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, close(inner)]),
    );
    const isOpen = rest.type === 'object' && rest.properties !== undefined && rest.additionalProperties === undefined;
    return { ...rest, ...(values !== undefined && { enum: values }), ...(isOpen && { additionalProperties: false }) };
  };
  return close(document) as T; // the same structure
}
