// Generates the CLI's table of operations from both OpenAPI documents.
import type { ApiName } from './src/api-operation.ts';
import { type ApiDocument, operationsIn, schemasOf } from './src/document-operations.ts';

const lines = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`).join('');

/** Returns the source of the table. Throws if two operations have the same id. */
export function generateOperations(documents: Readonly<Record<ApiName, ApiDocument>>): string {
  const apis = ['v1', 'management'] as const;
  const all = apis.flatMap((api) => operationsIn(documents[api], api));
  const ids = all.map(([id]) => id);
  const twin = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twin !== undefined) throw new Error(`Both documents have an operation ${twin}.`);
  const schemas = apis.map((api) => {
    const own = all.map(([, one]) => one).filter((one) => one.api === api);
    return [api, schemasOf(documents[api], own)] as const;
  });
  return [
    '// Generated from the contract by `npm run contract`. Do not edit.\n',
    "import type { ApiName, ApiOperation, JsonSchema } from '../api-operation.ts';\n\n",
    '/** The operations of both documents, by their ids. */\n',
    `export const API_OPERATIONS: Readonly<Record<string, ApiOperation>> = {\n${lines(all)}};\n\n`,
    '/** The schemas that their inputs refer to. */\n',
    `export const API_SCHEMAS: Readonly<Record<ApiName, Readonly<Record<string, JsonSchema>>>> = {\n${schemas
      .map(([api, own]) => `  ${api}: {\n${lines(own).replaceAll(/^/gm, '  ').trimEnd()}\n  },\n`)
      .join('')}};\n`,
  ].join('');
}
