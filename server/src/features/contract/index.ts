// The contract as a document, and the pages that its problems point to.
export { getOpenapi } from './get-openapi.ts';
export { getProblemPage } from './get-problem-page.ts';
