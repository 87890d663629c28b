// Collects the licence texts of the packages in a bundle. Most licences require the text with every copy of the code.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file name of the licence texts, next to a bundle. */
export const LICENCES_FILE = 'third-party-licenses.txt';

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/;

/**
 * Returns the licence texts of all packages with a module in the bundle, sorted by name. Throws if a package has
 * neither a licence file nor a licence in its manifest.
 */
export function licencesOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => PACKAGE.exec(id.replace(/^\0/, ''))?.[1] ?? []));
  const texts = new Map([...folders].map((folder) => readLicence(folder)));
  return [...texts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `${name}\n${'-'.repeat(name.length)}\n\n${text}\n`)
    .join('\n');
}

function readLicence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file))
    .sort();
  if (files.length === 0 && typeof license !== 'string') throw new Error(`${name} names no licence.`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return [`${name} ${version}`, [`Licence: ${license ?? 'see below'}`, ...texts].join('\n\n')];
}
