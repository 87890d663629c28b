// The contract as a document, and the pages that its problems point to.
export { getApiCatalog } from './get-api-catalog.ts';
export { getOpenapi } from './get-openapi.ts';
export { getProblemIndex } from './get-problem-index.ts';
export { getProblemPage } from './get-problem-page.ts';
