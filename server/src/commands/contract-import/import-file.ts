// `slipway-server contract import`: writes a contract from an OpenAPI document, and prints the findings.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import { DocumentError, MAX_BYTES } from './document.ts';
import { contractFiles } from './emit.ts';
import { type ImportedContract, importDocument } from './import-document.ts';

/** Imports a document into a new folder. */
export async function importFile(file: string, folder: string, print: (line: string) => void): Promise<void> {
  const name = basename(file);
  const contract = readContract(name, await readText(file));
  const files = contractFiles(contract);
  await refuseFilledFolder(folder);
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
  for (const { line, pointer, reason } of contract.findings) print(`${name}:${line}: ${pointer || '/'} ${reason}.`);
  print(summaryOf(contract, folder));
}

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`The document cannot be read: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}

function readContract(name: string, text: string): ImportedContract {
  try {
    return importDocument(name, text);
  } catch (error) {
    if (error instanceof DocumentError) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

async function refuseFilledFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new ConfigError(`The folder ${folder} cannot be used: ${error.message}.`);
  });
  if (names.length > 0)
    throw new ConfigError(`The folder ${folder} must be empty or new: the import overwrites no file.`);
}

function summaryOf({ resources, scopes, findings }: ImportedContract, folder: string): string {
  const operations = resources.reduce((sum, one) => sum + Object.keys(one.operations ?? {}).length, 0);
  const events = resources.reduce((sum, one) => sum + Object.keys(one.events).length, 0);
  const counts = [
    `${resources.length} ${resources.length === 1 ? 'resource' : 'resources'}`,
    `${operations} ${operations === 1 ? 'operation' : 'operations'}`,
    `${events} ${events === 1 ? 'event' : 'events'}`,
    `${Object.keys(scopes).length} scopes`,
  ];
  return `Wrote ${counts.join(', ')} to ${folder}. Findings: ${findings.length}.`;
}
