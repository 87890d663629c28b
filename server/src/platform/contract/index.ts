// The contract as a document, and the pages to which its problems link.
export { type ContractText, type ContractVariant, contractTexts } from './contract-texts.ts';
export { getApiCatalog } from './get-api-catalog.ts';
export { getContract } from './get-contract.ts';
export { getOpenapi } from './get-openapi.ts';
export { getProblemIndex } from './get-problem-index.ts';
export { getProblemPage } from './get-problem-page.ts';
