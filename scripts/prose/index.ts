// Counts the faults of plain English in the repository, by group: a folder and a kind of text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import given from './ceilings.json' with { type: 'json' };
import { type Kind, type Prose, proseOfContract, proseOfMarkdown, proseOfModule } from './extract.ts';
import { proseOfOther } from './other-languages.ts';
import { type Match, matchesIn, wordsIn } from './rules.ts';

/** The repository's folder. */
export const root = new URL('../../', import.meta.url).pathname;

export interface ProseFault extends Match {
  file: string;
  line: number;
}

export interface Group {
  name: string;
  words: number;
  faults: ProseFault[];
}

/**
 * Files without prose of the project, files that quote forbidden words, and files whose sample content has a pinned
 * hash.
 */
const LEFT_OUT =
  /^(?:scripts\/prose\/|server\/test\/prose\.test\.ts|server\/src\/access\/contracts\/\w+\/words\/\w+\.ts|(?:sdk|cli)\/src\/generated\/|sdk-go\/\w+_generated\.go|sdk-python\/src\/slipway\/(?:models|_operations)\.py|sdk\/checks\/|LICENSE|.*\.fixture\.(?:json|txt))/u;

function proseOf(file: string, source: string): Prose[] {
  if (file.endsWith('.md')) return proseOfMarkdown(source);
  if (/^contract\/[\w.-]+\.json$/u.test(file)) return proseOfContract(source);
  if (/\.(?:ts|tsx|mts|mjs|js)$/u.test(file) && !file.endsWith('.d.ts')) return proseOfModule(file, source);
  return proseOfOther(file, source);
}

/** Returns the folder that names the group of a file: `server/src/webhooks`, `console/src`, `docs/decisions`, `cli`. */
function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1);
  if (parts[0] === 'server' && parts[1] === 'src') return parts.slice(0, 3).join('/');
  if (parts[0] === 'docs' || parts[0] === 'server' || parts[0] === 'console' || parts[0] === 'test')
    return parts.slice(0, 2).join('/');
  return parts[0] ?? '.';
}

const KINDS: Record<Kind, string> = {
  docs: 'documents',
  comments: 'comments',
  titles: 'test titles',
  texts: 'texts',
  contract: 'descriptions',
};

const GENERATED = new Set(['node_modules', 'dist', '.build', '.slipway', '.git', 'test-results']);

/** Yields the path of each file from the root, except installed and generated ones. */
export function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (GENERATED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/** Returns the groups by name. */
export function readGroups(): Group[] {
  const groups = new Map<string, Group>();
  for (const file of filesIn('')) {
    if (LEFT_OUT.test(file)) continue;
    for (const { kind, text, line } of proseOf(file, readFileSync(join(root, file), 'utf8'))) {
      const name = `${folderOf(file)}: ${KINDS[kind]}`;
      const group = groups.get(name) ?? { name, words: 0, faults: [] };
      groups.set(name, group);
      group.words += wordsIn(text);
      group.faults.push(...matchesIn(text).map((match) => ({ ...match, file, line })));
    }
  }
  return [...groups.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Returns faults per 1,000 words, rounded up to a tenth. */
export const rateOf = ({ words, faults }: Group): number =>
  words === 0 ? 0 : Math.ceil((faults.length / words) * 10_000) / 10;

/** The ceiling of a group without its own one: faults per 1,000 words. */
export const GOAL = 2;

const ceilings: Record<string, number> = given;

export const ceilingOf = (group: string): number => ceilings[group] ?? GOAL;

/** Returns the ceilings of the groups above the goal: the current rate of each, or its ceiling if that is lower. */
export const lowerCeilings = (groups: readonly Group[]): Record<string, number> =>
  Object.fromEntries(
    groups
      .map((group) => [group.name, Math.min(ceilings[group.name] ?? rateOf(group), rateOf(group))] as const)
      .filter(([, rate]) => rate > GOAL),
  );
