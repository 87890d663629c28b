// Writes the TypeScript client of the contract of this process into a folder. It imports `@slipway/sdk`, which has the
// code of every client: retries, pages, time limits and problems.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract, isOperatorContract } from '../../access/contracts/index.ts';
import { publicDocument } from '../../listeners/sandbox-api.ts';
import { type Document, generateSource } from './generate.ts';

const FILE = 'client.ts';

/** Writes the client, and resolves to its path. An existing client is replaced. */
export async function writeSdk(folder: string): Promise<string> {
  const url = 'http://localhost:4000';
  // The types contain no address. JSON has no symbols, which the schemas of the document have.
  const document = JSON.parse(JSON.stringify(publicDocument(url, `${url}/problems`))) as Document;
  const path = join(folder, FILE);
  await mkdir(folder, { recursive: true });
  await writeFile(path, clientSource(document));
  return path;
}

function clientSource(document: Document): string {
  const name = isOperatorContract ? `the contract \`${contract.name}\`` : 'the default contract';
  const head = `// The client of ${name}, written by \`slipway-server contract sdk\`. Do not edit.
import * as sdk from '@slipway/sdk';
`;
  const client = `export type ApiClient = sdk.Client<Operations>;

/** Returns a client of the API. */
export const createApi = (options: sdk.SlipwayOptions): ApiClient => sdk.createApi<Operations>(operations, options);
`;
  return `${generateSource(document, head)}\n${client}`;
}
