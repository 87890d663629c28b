import { allowOrganisationManagement, organisationParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { type ContractText, exampleDocument, OpenapiDocument } from './contract-texts.ts';

/** Serves the same document to the Console's API reference, whose pages send requests only to their own origin. */
export function getContract(textOf: ContractText) {
  return operation({
    id: 'getContract',
    route: 'GET /organisations/{organisationId}/contract',
    tag: 'Reference',
    summary: 'Get the contract of /v1',
    description: 'Returns the OpenAPI 3.1 document of the API of this environment, as served at `/v1/openapi.json`.',
    access: allowOrganisationManagement('apps.read'),
    params: organisationParams,
    replies: ok('The document.', OpenapiDocument, { theBeginning: exampleDocument }),
    async run({ plane }) {
      return { status: 200, json: textOf(plane) };
    },
  });
}
