import { allowAnyone } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
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
    replies: ok('The document.', OpenapiDocument, { theBeginning: exampleDocument }),
    async run({ plane }) {
      return { status: 200, json: textOf(plane), headers: { 'cache-control': 'public, max-age=300' } };
    },
  });
}
