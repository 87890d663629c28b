// The programs of a folder of the repository, such as `npm run prove -- clients`. The first comment of a program is its
// usage: the command, what it does, its options and its duration. A file without such a comment is a helper.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stamp.mjs';

/** Returns the usage of each program of `bench` or `prove` by its name. */
export function readUsages(folder) {
  const names = readdirSync(join(root, folder)).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.slice(1) ?? []);
  const comments = names.map((name) => [name, firstComment(join(root, folder, `${name}.ts`))]);
  return new Map(comments.filter(([name, text]) => text.startsWith(`\`npm run ${folder} -- ${name}`)));
}

function firstComment(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice('// '.length))
    .join('\n');
}

/** Returns the first option that the usage of a program does not name. */
export function findUnknownOption(usage, args) {
  const known = new Set(['--json', ...(usage.match(/--[a-z][a-z-]*/g) ?? [])]);
  return args.find((one) => one.startsWith('--') && !known.has(one));
}

/**
 * Runs the program that the command line names, or prints its usage for `--help`. A wrong option ends with code 2,
 * because a program can take an hour.
 */
export async function runProgram(folder) {
  const [name = '', ...args] = process.argv.slice(2);
  const usages = readUsages(folder);
  const usage = usages.get(name);
  const asksHelp = [name, ...args].includes('--help');
  const unknown = usage && findUnknownOption(usage, args);
  if (asksHelp && usage) return console.log(`${usage}\n\n--json prints the result as JSON.`);
  const list = `usage: npm run ${folder} -- NAME [--json] [--help]\nNAME is one of: ${[...usages.keys()].join(', ')}`;
  if (name === '--help') return console.log(list);
  if (usage === undefined || unknown !== undefined) {
    console.error(usage === undefined ? list : `${name} has no option ${unknown}.\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
  process.chdir(root);
  process.argv.splice(2, 1, `${folder}/${name}.ts`);
  return import('./run-ts.mjs');
}
