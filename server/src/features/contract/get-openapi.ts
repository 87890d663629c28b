import { operation } from '../../kit/operation.ts';
import { Type } from '../../kit/schema.ts';
import { anyone } from '../authority/index.ts';
import type { ContractText } from './contract-texts.ts';

/** The operation that serves the contract it is itself part of. */
export function getOpenapi(textOf: ContractText) {
  return operation({
    id: 'getOpenapi',
    method: 'GET',
    path: '/v1/openapi.json',
    tag: 'Contract',
    summary: 'Get the contract',
    description: 'This API as an OpenAPI 3.1 document.',
    access: anyone(),
    replies: {
      200: {
        description: 'The document.',
        schema: Type.Unsafe<object>({
          type: 'object',
          additionalProperties: true,
          required: ['openapi'],
          properties: { openapi: { type: 'string', description: 'Its version of OpenAPI.', enum: ['3.1.0'] } },
          description: 'An OpenAPI document.',
        }),
        examples: { theBeginning: { openapi: '3.1.0' } },
      },
    },
    async run({ plane }) {
      return { status: 200, json: textOf(plane), headers: { 'cache-control': 'public, max-age=300' } };
    },
  });
}
