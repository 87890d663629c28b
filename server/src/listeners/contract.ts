// Generates the two contracts from the operations: contract/openapi.json (/v1) and contract/console.openapi.json (the
// management API). Only the addresses in them are examples.
import { consoleDocument, consoleOperations } from './console.ts';
import { rolesPage } from './roles-page.ts';
import { publicDocument } from './sandbox-api.ts';

const API_URL = 'http://localhost:4000';
const CONSOLE_URL = 'http://localhost:3000';

/** Returns the texts by file name under contract/. */
export function contractFiles(): Record<string, string> {
  const problemsUrl = `${API_URL}/problems`;
  const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
  return {
    'openapi.json': text(publicDocument(API_URL, problemsUrl, { docsUrl: `${CONSOLE_URL}/docs` })),
    'console.openapi.json': text(consoleDocument(CONSOLE_URL, problemsUrl)),
  };
}

/** Returns docs/reference/roles.md: the permissions of each role, from the table that decides them. */
export function rolesFile(): string {
  return rolesPage(consoleOperations([]));
}
