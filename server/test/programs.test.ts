// `npm run bench` and `npm run prove`: the first comment of a program is its usage and names each of its options.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findUnknownOption, readUsages } from '../../scripts/programs.mjs';

const root = new URL('../../', import.meta.url).pathname;
const FOLDERS = ['bench', 'prove'] as const;

const run = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [`scripts/${folder}.mjs`, ...args], { cwd: root, encoding: 'utf8' });

/** Returns the sources that can read the options of a program: its file, and the helpers that have its name. */
function sourcesOf(folder: string, name: string, programs: readonly string[]): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const isOwn = (file: string): boolean => {
    const rest = file.startsWith(name) ? file.slice(name.length) : '';
    return rest === '.ts' || (/^[-/].+\.ts$/.test(rest) && !programs.includes(file.slice(0, -'.ts'.length)));
  };
  return files.filter(isOwn).map((file) => readFileSync(join(root, folder, file), 'utf8'));
}

const READ_OPTION = /(?:argument|numberOf|numberAfter|indexOf|includes)\('(--[a-z-]+)'/g;
const optionsOf = (source: string): string[] => [...source.matchAll(READ_OPTION)].map(([, option]) => option ?? '');

describe.each(FOLDERS)('npm run %s', (folder) => {
  const usages = [...readUsages(folder)];

  test('each program names all of its options', () => {
    expect(usages.length).toBeGreaterThan(7);
    const names = usages.map(([name]) => name);
    const unnamed = usages.flatMap(([name, usage]) =>
      sourcesOf(folder, name, names)
        .flatMap(optionsOf)
        .filter((option) => findUnknownOption(usage, [option]) !== undefined)
        .map((option) => `${name} ${option}`),
    );
    expect(unnamed).toEqual([]);
  });

  test('--help prints the programs, and with a name the usage of the program, without running it', () => {
    const [[name, usage] = ['', '']] = usages;
    const general = run(folder, '--help');
    expect([general.status, general.stderr]).toEqual([0, '']);
    expect(general.stdout).toContain(usages.map(([one]) => one).join(', '));
    const { status, stdout } = run(folder, name, '--json', '--help');
    expect([status, stdout]).toEqual([0, `${usage}\n\n--json prints the result as JSON.\n`]);
  });

  test('an unknown program and an unknown option end with code 2 and the usage', () => {
    const [[name, usage] = ['', '']] = usages;
    expect(run(folder, 'kit')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('NAME is one of'),
    });
    const { status, stderr } = run(folder, name, '--roundz', '3');
    expect([status, stderr]).toEqual([2, `${name} has no option --roundz.\n\n${usage}\n`]);
  });
});

test('the usage of clients names each generator', () => {
  const usage = readUsages('prove').get('clients')?.replaceAll('\n', ' ');
  const generators = readdirSync(join(root, 'prove/clients/drivers'));
  expect(generators.filter((name) => !usage?.includes(` ${name},`))).toEqual([]);
});
