// Recorded requests as code, for a terminal or a program.
import { getRequestSnippets } from './get-request-snippets.ts';
import type { KnownOperation } from './snippet.ts';

export const snippetOperations = (operations: readonly KnownOperation[]) => [getRequestSnippets(operations)];
export { exampleSnippets, toRequestSnippets } from './request-snippets.ts';
export { type KnownOperation, RequestSnippets } from './snippet.ts';
