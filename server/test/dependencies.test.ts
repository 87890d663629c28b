// The dependencies that are installed, held against the table of advisories in docs/decisions/dependencies.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const MANIFESTS = ['', 'server/', 'cli/', 'console/', 'sdk/', 'contract/lint/', 'sdk/checks/', 'scripts/newest-node/'];
const LOCKS = [
  'package-lock.json',
  'contract/lint/package-lock.json',
  'sdk/checks/package-lock.json',
  'scripts/newest-node/package-lock.json',
];

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  packages: Record<string, { version?: string; resolved?: string; link?: boolean }>;
}

const locks = LOCKS.map((path) => JSON.parse(textOf(path)) as Lock); // the format of npm
const installed = locks.flatMap(({ packages }) =>
  Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { version = '' }]) => ({ name: path.replace(/^.*node_modules\//, ''), version })),
);

/** The rows of the table: package, and the lowest version of each major without a known advisory. */
const floors = [...textOf('docs/decisions/dependencies.md').matchAll(/^\| (\S+) \| ([\d., ]+) \| .*GHSA-.*\|$/gm)].map(
  ([, name = '', versions = '']) => ({ name, versions: versions.split(', ') }),
);

const numbersOf = (version: string): number[] => (version.split('-')[0] ?? '').split('.').map(Number);

function isBelow(version: string, floor: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(floor)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

/**
 * Returns true if the version is below its floor. A major without its own row uses the next lower one with a row, or
 * else the lowest.
 */
function hasAdvisory(version: string, versions: string[]): boolean {
  const major = (one: string): number => numbersOf(one)[0] ?? 0;
  const floor = versions.findLast((one) => major(one) <= major(version)) ?? versions[0] ?? '';
  return isBelow(version, floor);
}

test('no installed package is below its first version without known advisories', () => {
  expect(floors.length).toBeGreaterThan(10);
  const names = new Set(installed.map(({ name }) => name));
  expect(floors.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} is not installed`)).toEqual([]);
  const found = floors.flatMap(({ name, versions }) =>
    installed
      .filter((one) => one.name === name && hasAdvisory(one.version, versions))
      .map(({ version }) => `${name} ${version}`),
  );
  expect(found).toEqual([]);
});

test('a version is compared with the row of its major', () => {
  const judged = ['1.1.17', '1.1.18', '5.0.8', '5.0.9', '5.10.0', '6.0.0', '0.9.9'].map((one) =>
    hasAdvisory(one, ['1.1.18', '5.0.9']),
  );
  expect(judged).toEqual([true, false, true, false, false, false, true]);
});

test('every direct dependency has an exact version', () => {
  const wanted = MANIFESTS.flatMap((folder) => {
    const manifest = JSON.parse(textOf(`${folder}package.json`)) as Manifest; // the format of npm
    return Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
  });
  expect(wanted.length).toBeGreaterThan(40);
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('no lock file names a registry', () => {
  const named = locks
    .flatMap(({ packages }) => Object.values(packages))
    .filter(({ resolved }) => resolved?.includes(':'));
  expect(named).toEqual([]);
});
