// Masks a body before it is sealed: sensitive values of the contract, and Slipway's keys wherever they stand.
import type { BodyState } from '../../access/authority/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { describe, fieldSchemas, hasSensitive, isSensitiveValue, itemSchemas } from '../../kit/http/schema-parts.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import { redactKeys } from '../../kit/text/redact.ts';
import { toMask } from '../requests/index.ts';
import { MAX_BODY_BYTES, MAX_POINTERS } from './capture.ts';

export interface MaskedBody {
  state: BodyState;
  body: string | null;
  maskedPointers: string[];
}

export const NO_BODY: MaskedBody = { state: 'none', body: null, maskedPointers: [] };
export const NOT_TEXT: MaskedBody = { state: 'not_text', body: null, maskedPointers: [] };

export interface MaskRules {
  /** The schema of the body; undefined if the contract has none. */
  schema: TSchema | undefined;
  /** The names of sensitive fields. */
  names: ReadonlySet<string>;
  /** The fields that are masked by their name. The schema of a body does not describe an unknown field. */
  appliesTo: 'every_field' | 'unknown_fields';
}

/** Deeper values are masked as a whole. The API accepts 32 levels. */
const MAX_DEPTH = 64;
// The text of a name or value can be escaped, so that a search of the whole text does not find it.
const ESCAPE = '\\u';

/** Masks JSON. `parse` returns the value of the text, and is called only if the text can contain something to mask. */
export function maskJson(text: string, parse: () => unknown, rules: MaskRules): MaskedBody {
  if (isPlain(text, rules)) return cutToLimit(text, []);
  const { masked, pointers } = maskParsed(parse(), rules);
  // Not the text itself: it can repeat a name, and only the last of its values was parsed and masked.
  return maskText(JSON.stringify(masked), pointers);
}

function isPlain(text: string, { schema, names }: MaskRules): boolean {
  if (hasSensitive(schema) || text.includes(ESCAPE)) return false;
  for (const name of names) if (text.includes(`"${name}"`)) return false;
  return redactKeys(text) === text;
}

/** Masks text that is no JSON. */
export function maskText(text: string, pointers: readonly string[] = []): MaskedBody {
  const masked = redactKeys(text);
  return cutToLimit(masked, masked === text ? pointers : [...pointers, '']);
}

/** Cuts the text to the limit. */
function cutToLimit(text: string, pointers: readonly string[]): MaskedBody {
  const maskedPointers = pointers.slice(0, MAX_POINTERS);
  const isMasked = pointers.length > 0;
  if (text.length <= MAX_BODY_BYTES / 3 || Buffer.byteLength(text) <= MAX_BODY_BYTES) {
    return { state: isMasked ? 'masked' : 'whole', body: text, maskedPointers };
  }
  const bytes = Buffer.from(text).subarray(0, MAX_BODY_BYTES);
  // A streaming decoder leaves out the beginning of a character that is cut.
  const body = new TextDecoder().decode(bytes, { stream: true });
  return { state: 'cut', body, maskedPointers };
}

/** Returns whether a value has no content to mask. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

function maskParsed(value: unknown, { schema, names, appliesTo }: MaskRules): { masked: unknown; pointers: string[] } {
  const pointers: string[] = [];

  const hide = (inner: unknown, at: string): unknown => {
    if (isEmpty(inner)) return inner;
    pointers.push(at);
    return toMask(inner);
  };

  function mask(inner: unknown, schemas: readonly TSchema[], at: string, depth: number): unknown {
    const described = describe(schemas);
    if (isSensitiveValue(described) || depth > MAX_DEPTH) return hide(inner, at);
    if (typeof inner === 'string') {
      const redacted = redactKeys(inner);
      if (redacted !== inner) pointers.push(at);
      return redacted;
    }
    if (Array.isArray(inner)) {
      return inner.map((item, index) => mask(item, itemSchemas(described, index), `${at}/${index}`, depth + 1));
    }
    if (typeof inner !== 'object' || inner === null) return inner;
    const entries = Object.entries(inner).map(([name, field]): [string, unknown] => {
      const shownName = redactKeys(name);
      const fieldAt = `${at}/${escapePointer(shownName)}`;
      const ofField = fieldSchemas(described, name);
      if (names.has(name) && (appliesTo === 'every_field' || ofField.length === 0))
        return [shownName, hide(field, fieldAt)];
      if (shownName !== name) pointers.push(fieldAt);
      return [shownName, mask(field, ofField, fieldAt, depth + 1)];
    });
    return Object.fromEntries(entries);
  }

  return { masked: mask(value, schema ? [schema] : [], '', 0), pointers };
}
