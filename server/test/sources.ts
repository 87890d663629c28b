// Reads the project's sources for the architecture rules: paths from the root, texts and imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Source {
  /** Relative to the root, with slashes. */
  path: string;
  text: string;
  lines: number;
  /** Imports, including types. A relative import is the path of its file; another one is unchanged. */
  imports: { target: string; names: string; isDynamic: boolean }[];
}

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const SKIPPED = new Set(['node_modules', 'dist', '.build', '.slipway', '.git', 'generated', 'test-results']);

/** Returns the paths of all files of the project, in order. */
export function filesOf(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (SKIPPED.has(entry.name) || entry.isSymbolicLink()) return [];
      return entry.isDirectory() ? filesOf(path) : [path];
    })
    .sort();
}

const IMPORT = /^[ \t]*(?:import|export)\b([^;'"`]*?)\bfrom\s*['"]([^'"]+)['"]/gm;
const BARE_IMPORT = /^[ \t]*import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

function importsOf(path: string, text: string): Source['imports'] {
  const found = [
    ...[...text.matchAll(IMPORT)].map(([, names = '', target = '']) => ({ names, target, isDynamic: false })),
    ...[...text.matchAll(BARE_IMPORT)].map(([, target = '']) => ({ names: '', target, isDynamic: false })),
    ...[...text.matchAll(DYNAMIC_IMPORT)].map(([, target = '']) => ({ names: '', target, isDynamic: true })),
  ];
  return found.map(({ names, target, isDynamic }) => ({
    names,
    isDynamic,
    target: target.startsWith('.') ? posix.join(posix.dirname(path), target) : target,
  }));
}

export function readSources(): Source[] {
  return filesOf()
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, lines: text.trimEnd().split('\n').length, imports: importsOf(path, text) };
    });
}

/** Returns the code without comments, because comments may mention anything. */
export function codeOf({ text }: Source): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

/** Returns `path: text` for each match in the code of a file. */
export function badCode(
  sources: Source[],
  pattern: RegExp,
  isAllowed: (path: string) => boolean = () => false,
): string[] {
  return sources
    .filter(({ path }) => !isAllowed(path))
    .flatMap((source) => [...codeOf(source).matchAll(pattern)].map(([text]) => `${source.path}: ${text}`));
}

/** Returns the first cycle in a graph; undefined without one. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    const at = path.indexOf(node);
    if (at !== -1) return [...path.slice(at), node];
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}
