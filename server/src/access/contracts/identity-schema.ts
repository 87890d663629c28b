// The schema of an identifier with the form of the operator's API.
import { type TSchema, Type } from '../../kit/http/schema.ts';
import { MAX_ID_LENGTH } from './identity-pattern.ts';
import type { IdentityDeclaration } from './operation-declaration.ts';

/** The highest integer that JSON clients read exactly. */
export const MAX_ID_NUMBER = Number.MAX_SAFE_INTEGER;

/** Returns the list of all identifiers as the server writes them; undefined without a list. */
export const listedIdentifiers = ({ form, enum: values }: IdentityDeclaration): IdentityDeclaration['enum'] =>
  form === 'uuid' ? values?.map((one) => String(one).toLowerCase()) : values;

/** Returns the schema of the identifiers. A text contains no character that separates the parts of a path. */
export function identitySchema(identity: IdentityDeclaration): TSchema {
  const { form, prefix = '', pattern, description, examples, minLength, maxLength = MAX_ID_LENGTH } = identity;
  const { minimum = 0, maximum = MAX_ID_NUMBER, multipleOf } = identity;
  const listed = listedIdentifiers(identity);
  const shared = {
    description,
    ...(examples && { examples: [...examples] }),
    ...(listed && { enum: [...listed] }),
  };
  if (form === 'integer')
    return Type.Integer({ minimum, maximum, ...(multipleOf !== undefined && { multipleOf }), ...shared });
  if (form === 'uuid') return Type.String({ format: 'uuid', maxLength: 36, ...shared });
  const ofForm = form === 'prefixed' ? `^${prefix}[A-Za-z0-9_-]+$` : '^[^\\u0000-\\u0020/?#]+$';
  return Type.String({
    pattern: pattern ?? ofForm,
    ...(minLength !== undefined && { minLength }),
    maxLength,
    ...shared,
  });
}
