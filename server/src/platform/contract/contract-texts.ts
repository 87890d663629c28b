// The contract's text per environment and public address, with and without its webhooks. It is built on the first
// request and then cached.

import type { Plane } from '../../access/authority/index.ts';
import { Type } from '../../kit/http/schema.ts';

export const OpenapiDocument = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  required: ['openapi'],
  properties: { openapi: { type: 'string', description: 'The OpenAPI version of the document.', enum: ['3.1.0'] } },
  description: 'An OpenAPI document.',
});

export const exampleDocument = { openapi: '3.1.0' };

export interface ContractVariant {
  /** False omits the webhooks and the schemas that only they use. Defaults to true. */
  webhooks?: boolean | undefined;
  docsUrl?: string | undefined;
}

export type ContractText = (plane: Plane, variant?: Pick<ContractVariant, 'webhooks'>) => string;

export function contractTexts(
  document: (publicUrl: string, problemsUrl: string, variant: ContractVariant) => object,
): ContractText {
  const texts = new Map<string, string>();
  return ({ urls, environment }, { webhooks = true } = {}) => {
    const place = `${environment} ${urls.public} ${webhooks}`;
    let text = texts.get(place);
    if (text === undefined) {
      text = JSON.stringify(document(urls.public, urls.problems, { webhooks, docsUrl: urls.docs }));
      texts.set(place, text);
    }
    return text;
  };
}
