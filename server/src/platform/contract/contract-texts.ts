// The contract's text per environment and public address. It is built on the first request and then cached.

import type { Environment, Plane } from '../../access/authority/index.ts';
import { Type } from '../../kit/http/schema.ts';

export const OpenapiDocument = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  required: ['openapi'],
  properties: { openapi: { type: 'string', description: 'The OpenAPI version of the document.', enum: ['3.1.0'] } },
  description: 'An OpenAPI document.',
});

export const exampleDocument = { openapi: '3.1.0' };

export type ContractText = (plane: Plane) => string;

export function contractTexts(
  document: (publicUrl: string, problemsUrl: string, environment: Environment) => object,
): ContractText {
  const texts = new Map<string, string>();
  return ({ publicUrl, problemsUrl, environment }) => {
    const place = `${environment} ${publicUrl}`;
    let text = texts.get(place);
    if (text === undefined) {
      text = JSON.stringify(document(publicUrl, problemsUrl, environment));
      texts.set(place, text);
    }
    return text;
  };
}
