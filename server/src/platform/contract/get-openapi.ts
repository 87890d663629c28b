import { allowAnyone } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { type ContractText, exampleDocument, OpenapiDocument } from './contract-texts.ts';

/** Serves the contract, which includes this operation. */
export function getOpenapi(textOf: ContractText) {
  return operation({
    id: 'getOpenapi',
    route: 'GET /v1/openapi.json',
    tag: 'Contract',
    summary: 'Get the contract',
    description: 'Returns the OpenAPI 3.1 document of this API.',
    access: allowAnyone(),
    query: strictObject({
      webhooks: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'False omits `webhooks` and the schemas that only they use, for tools that support only the operations.',
        }),
      ),
    }),
    replies: ok('The document.', OpenapiDocument, { theBeginning: exampleDocument }),
    async run({ plane }, { query }) {
      return { status: 200, json: textOf(plane, query), headers: { 'cache-control': 'public, max-age=300' } };
    },
  });
}
