// The schema of an identifier with the form of the operator's API.
import { type TSchema, Type } from '../../kit/http/schema.ts';
import type { IdentityDeclaration } from './operation-declaration.ts';

/** The longest identifier that a path can contain. */
const MAX_ID_LENGTH = 200;
/** The highest integer that JSON clients read exactly. */
const MAX_ID_NUMBER = Number.MAX_SAFE_INTEGER;

/** Returns the schema of the identifiers. A text contains no character that separates the parts of a path. */
export function identitySchema({ form, prefix = '', description, examples }: IdentityDeclaration): TSchema {
  const shared = { description, ...(examples && { examples: [...examples] }) };
  if (form === 'integer') return Type.Integer({ minimum: 0, maximum: MAX_ID_NUMBER, ...shared });
  if (form === 'uuid') return Type.String({ format: 'uuid', maxLength: 36, ...shared });
  const pattern = form === 'prefixed' ? `^${prefix}[A-Za-z0-9_-]+$` : '^[^\\u0000-\\u0020/?#]+$';
  return Type.String({ pattern, maxLength: MAX_ID_LENGTH, ...shared });
}
