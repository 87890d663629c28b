// Identifiers and cursors from responses of the service, so that requests meet existing objects. A new kind of object
// is known as soon as a response names it.
import fc from 'fast-check';
import { type InputSchema, matchingText, type ValueSource } from './values.ts';

const ID = /^([a-z]{2,4})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const MAX_KNOWN = 12;

export interface CollectedIds {
  add(operationId: string, body: unknown): void;
  /** Sets the values that parameters and fields of this name should have. */
  put(name: string, values: readonly unknown[]): void;
  /** Returns a value for this name as text; undefined if there is none. */
  named(name: string, index: number): string | undefined;
  /** Returns an identifier of this kind; the last one if the index is too large. */
  known(prefix: string, index: number): string | undefined;
  sourceFor(operationId: string): ValueSource;
  /** Returns the JSON with identifiers of examples replaced by those of existing objects. */
  withKnownIds(json: string): string;
}

export function collectIds(): CollectedIds {
  const ids = new Map<string, string[]>();
  const cursors = new Map<string, string[]>();
  const named = new Map<string, readonly unknown[]>();

  function keep(idsByKind: Map<string, string[]>, key: string, value: string): void {
    const known = idsByKind.get(key) ?? [];
    if (known.length < MAX_KNOWN && !known.includes(value)) idsByKind.set(key, [...known, value]);
  }

  // Requests mostly use the first identifier of a kind, so a disabled object goes last.
  function putLast(id: string): void {
    const prefix = ID.exec(id)?.[1] ?? '';
    ids.set(prefix, [...(ids.get(prefix) ?? []).filter((other) => other !== id), id]);
  }

  const at = (known: readonly string[] | undefined, index: number): string | undefined =>
    known?.[Math.min(index, known.length - 1)];

  function known(idsByKind: Map<string, string[]>, key: string, otherwise: fc.Arbitrary<string>): fc.Arbitrary<string> {
    const index = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(MAX_KNOWN - 1) });
    const picked = fc.tuple(index, otherwise).map(([position, other]) => at(idsByKind.get(key), position) ?? other);
    return fc.oneof({ weight: 8, arbitrary: picked }, { weight: 1, arbitrary: otherwise });
  }

  function take(operationId: string, value: unknown): void {
    if (typeof value === 'string') {
      const prefix = ID.exec(value)?.[1];
      if (prefix) keep(ids, prefix, value);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (/^next[A-Z]/.test(name) && typeof inner === 'string') keep(cursors, operationId, inner);
      take(operationId, inner);
    }
    if ('enabled' in value && value.enabled === false && 'id' in value) putLast(String(value.id));
  }

  return {
    add: take,
    put: (name, values) => void named.set(name, values),
    named(name, index) {
      const values = named.get(name) ?? [];
      return values.length > 0 ? String(values[index % values.length]) : undefined;
    },
    known: (prefix, index) => at(ids.get(prefix), index),
    sourceFor: (operationId) => (name, schema: InputSchema) => {
      const values = named.get(name) ?? [];
      if (values.length > 0) return fc.constantFrom(...values);
      const prefixes = /^\^\(?([a-z]{2,4}(?:\|[a-z]{2,4})*)\)?_/.exec(schema.pattern ?? '')?.[1]?.split('|');
      if (prefixes && schema.pattern !== undefined) {
        const generated = matchingText(schema.pattern);
        return fc.oneof(...prefixes.map((prefix) => known(ids, prefix, generated)));
      }
      const bounds = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 40) };
      if (name === 'cursor' || name === 'after') return known(cursors, operationId, fc.string(bounds));
      // The large world takes several seconds, and has its own test.
      if (name === 'preset') return fc.constantFrom(...(schema.enum ?? []).filter((one) => one !== 'large'));
      if (name === 'url')
        return fc.constantFrom(
          'https://bridge.example.org/hooks',
          'https://bridge.example.org/%00?a=ü#b',
          'nonsense://',
        );
      return undefined;
    },
    withKnownIds: (json) =>
      json.replaceAll(/"([a-z]{2,4})_[0-9a-z]{26}"/g, (id, prefix: string) => {
        const present = at(ids.get(prefix), 0);
        return present === undefined ? id : JSON.stringify(present);
      }),
  };
}
