// What is generated from the operations: the contracts, the SDK's sources, the page of roles and the README's table of
// settings.
import { readFile } from 'node:fs/promises';
import { type Document, generateSource } from '../sdk/generate.ts';
import { contractFiles, rolesFile } from '../server/src/contract.ts';
import { settingsTable } from '../server/src/settings.ts';

const SDK_FILES: Record<string, string> = { 'openapi.json': 'public.ts', 'console.openapi.json': 'console.ts' };

const SETTINGS_PART = /(<!-- settings: .* -->\n)[\s\S]*(<!-- \/settings -->)/;

/** Path from the root to text, for each generated file. */
export async function wantedFiles(): Promise<Record<string, string>> {
  const readme = await readFile('README.md', 'utf8');
  const files: Record<string, string> = {
    'README.md': readme.replace(SETTINGS_PART, `$1${settingsTable()}\n$2`),
    'docs/roles.md': rolesFile(),
  };
  for (const [name, text] of Object.entries(contractFiles())) {
    files[`contract/${name}`] = text;
    const document = JSON.parse(text) as Document; // our own document, made a line above
    files[`sdk/src/generated/${SDK_FILES[name]}`] = generateSource(document, name);
  }
  return files;
}
