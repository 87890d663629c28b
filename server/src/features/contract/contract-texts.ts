// The contract's text for each public address: made when it is first asked for, and then kept.
import { Type } from '../../kit/schema.ts';
import type { Plane } from '../authority/index.ts';

export const OpenapiDocument = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  required: ['openapi'],
  properties: { openapi: { type: 'string', description: 'Its version of OpenAPI.', enum: ['3.1.0'] } },
  description: 'An OpenAPI document.',
});

export const exampleDocument = { openapi: '3.1.0' };

export type ContractText = (plane: Plane) => string;

export function contractTexts(document: (publicUrl: string, problemsUrl: string) => object): ContractText {
  const texts = new Map<string, string>();
  return ({ publicUrl, problemsUrl }) => {
    let text = texts.get(publicUrl);
    if (text === undefined) {
      text = JSON.stringify(document(publicUrl, problemsUrl));
      texts.set(publicUrl, text);
    }
    return text;
  };
}
