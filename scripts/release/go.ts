// The Go module in the layout of a module proxy: `GOPROXY=file://...` installs it from this folder, and so does any
// static host.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Source, trackedFiles } from './source.ts';
import { writeZip } from './zip.ts';

/** The domain of the module path until a person chooses another path. */
const PLACEHOLDER = /\.example(?:\/|$)/;

/** Returns the path in sdk-go/go.mod. */
export function goModulePath(root: string): string {
  const path = /^module (\S+)$/m.exec(readFileSync(join(root, 'sdk-go/go.mod'), 'utf8'))?.[1];
  if (!path) throw new Error('sdk-go/go.mod names no module.');
  return path;
}

export const isPlaceholder = (modulePath: string): boolean => PLACEHOLDER.test(modulePath);

/** Upper case is escaped, because file systems may ignore case. */
const escapePath = (path: string): string => path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);

export function packGo({ root, version, epochSeconds }: Source, out: string): void {
  const module = goModulePath(root);
  const folder = join(out, 'go', escapePath(module), '@v');
  mkdirSync(folder, { recursive: true });
  const name = `v${version}`;
  const files = trackedFiles(root, 'sdk-go').map(
    (path) => [`${module}@${name}/${path}`, readFileSync(join(root, 'sdk-go', path))] as const,
  );
  writeZip(join(folder, `${name}.zip`), new Map(files), epochSeconds);
  writeFileSync(join(folder, `${name}.mod`), readFileSync(join(root, 'sdk-go/go.mod')));
  const time = new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
  writeFileSync(join(folder, `${name}.info`), `${JSON.stringify({ Version: name, Time: time })}\n`);
  writeFileSync(join(folder, 'list'), `${name}\n`);
}
