// The schemas that inherit a base through `allOf` and that the base lists in the `mapping` of its discriminator.
import type { Part } from './part.ts';

type Schema = Record<string, unknown>;

interface Kind {
  /** A reference to the schema. */
  reference: Part;
  /** The values of the discriminating field that select the schema. */
  values: string[];
}

/** Returns the kinds of a base; none if it has alternatives, or if its `mapping` names another schema than an heir. */
export function kindsOf(base: Part): Kind[] {
  const mapping = base.own('discriminator')?.own('mapping');
  if (!mapping || base.own('oneOf') || base.own('anyOf')) return [];
  const kinds = new Map<unknown, Kind>();
  for (const [value, one] of mapping.entries()) {
    const reference = typeof one.value === 'string' ? one.reference(one.value) : undefined;
    const target = reference?.target();
    if (!reference || !target || target.value === base.value || !isHeir(target, base, new Set())) return [];
    const known = kinds.get(target.value);
    if (known) known.values.push(value);
    else kinds.set(target.value, { reference, values: [value] });
  }
  return [...kinds.values()];
}

function isHeir(part: Part, base: Part, seen: Set<unknown>): boolean {
  if (part.value === base.value) return true;
  if (seen.has(part.value)) return false;
  seen.add(part.value);
  return (part.own('allOf')?.items() ?? []).some((one) => {
    const target = one.target();
    return target !== undefined && isHeir(target, base, seen);
  });
}

/**
 * Returns the schema of a base with its kinds as alternatives, of which the value of the field selects one; undefined if the
 * schema has no such field.
 */
export function withKinds(
  schema: Schema,
  field: string | undefined,
  kinds: readonly { schema: Schema; values: string[] }[],
): Schema | undefined {
  const own: unknown = field === undefined ? undefined : Reflect.get(Object(schema.properties), field);
  if (kinds.length === 0 || field === undefined || own === undefined) return undefined;
  const oneOf = kinds.map(({ schema: kind, values }) => {
    const properties: Schema = Object(kind.properties);
    const { const: _, enum: __, examples: ___, default: ____, ...rest }: Schema = Object(properties[field] ?? own);
    return { ...kind, properties: { ...properties, [field]: { ...rest, enum: values } } };
  });
  return { ...schema, oneOf };
}
