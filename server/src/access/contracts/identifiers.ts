// The identifiers that the sandbox gives to new objects, within the rules of `identity`.
import { MAX_ID_LENGTH, readIdentityPattern } from './identity-pattern.ts';
import { listedIdentifiers, MAX_ID_NUMBER } from './identity-schema.ts';
import type { IdentityDeclaration } from './operation-declaration.ts';

/** The identifiers of a resource whose rules permit only few. Each has a number, from 0. */
export interface IdentifierSpace {
  size: number;
  keyAt(index: number): string;
}

/**
 * How the sandbox makes identifiers: as their form prescribes, by drawing texts, or from a space. `error` is the reason why
 * it can make none.
 */
type IdentifierSource =
  | { by: 'form' }
  | { by: 'draw'; draw: (origin: string) => string }
  | { by: 'space'; space: IdentifierSpace }
  | { by: 'none'; field: string; error: string };

/** The length of an identifier that the form `text` prescribes, without a prefix. */
const USUAL_LENGTH = 26;
/** The size of a space of numbers without a `maximum`, which begins at the lowest number. */
const UNLIMITED_NUMBERS = 1_000_000;

const sources = new WeakMap<IdentityDeclaration, IdentifierSource>();

export function identifiersOf(identity: IdentityDeclaration): IdentifierSource {
  const source = sources.get(identity) ?? readSource(identity);
  sources.set(identity, source);
  return source;
}

/** Returns the space of the identifiers; undefined for identifiers that are made by their form or drawn. */
export function identifierSpaceOf(identity: IdentityDeclaration | undefined): IdentifierSpace | undefined {
  const source = identity && identifiersOf(identity);
  return source?.by === 'space' ? source.space : undefined;
}

/** Returns the rules of the identifiers in words, such as `maximum 9`. */
export function rulesInWords(identity: IdentityDeclaration): string {
  const { minimum, maximum, multipleOf, minLength, maxLength, pattern } = identity;
  const rules = Object.entries({ minimum, maximum, multipleOf, minLength, maxLength, pattern });
  const declared = rules.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return (identity.enum ? ['enum', ...declared] : declared).join(', ');
}

function readSource(identity: IdentityDeclaration): IdentifierSource {
  const { form } = identity;
  const values = listedIdentifiers(identity);
  if (values) return listed(values.map(String));
  if (form === 'integer') return numbersOf(identity);
  return form === 'uuid' ? { by: 'form' } : textsOf(identity);
}

const listed = (keys: readonly string[]): IdentifierSource => ({
  by: 'space',
  space: { size: keys.length, keyAt: (index) => keys[index] ?? '' },
});

function numbersOf({ minimum, maximum, multipleOf: step = 1 }: IdentityDeclaration): IdentifierSource {
  if ((minimum ?? 1) <= 1 && maximum === undefined && step === 1) return { by: 'form' };
  const least = minimum ?? Math.min(1, maximum ?? 1);
  const first = Math.ceil(least / step) * step;
  const most = Math.floor((Math.min(maximum ?? MAX_ID_NUMBER, MAX_ID_NUMBER) - first) / step) + 1;
  const size = maximum === undefined ? Math.min(most, UNLIMITED_NUMBERS) : most;
  if (size < 1) return { by: 'none', field: 'maximum', error: 'must permit at least one number' };
  return { by: 'space', space: { size, keyAt: (index) => String(first + index * step) } };
}

function textsOf({
  prefix = '',
  pattern,
  minLength = 1,
  maxLength = MAX_ID_LENGTH,
}: IdentityDeclaration): IdentifierSource {
  const usual = prefix.length + USUAL_LENGTH;
  if (pattern === undefined && usual >= minLength && usual <= maxLength) return { by: 'form' };
  const read = readIdentityPattern(pattern ?? `^${prefix}[0-9a-z]+$`, { minLength, maxLength, prefix });
  if ('error' in read) return { by: 'none', field: pattern === undefined ? 'maxLength' : 'pattern', error: read.error };
  return 'texts' in read ? listed(read.texts) : { by: 'draw', draw: read.draw };
}
