// Counts the lines of code of the server without comments, blank lines, tests and fixtures, in the working tree or in a
// revision: `node scripts/count-lines.mjs [revision]`
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from './stamp.mjs';

const [revision] = process.argv.slice(2);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const listed = revision ? ['ls-tree', '-r', '--name-only', revision, 'server/src'] : ['ls-files', 'server/src'];
const files = git(...listed)
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(path));

let lines = 0;
for (const path of files) {
  const source = revision ? git('show', `${revision}:${path}`) : readFileSync(join(root, path), 'utf8');
  const { comments } = parseSync(path, source);
  const code = comments.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), source);
  lines += code.split('\n').filter((line) => line.trim() !== '').length;
}
console.log(`${lines} lines of code in ${files.length} files of server/src`);
