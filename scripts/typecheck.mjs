// `npm run typecheck`: checks the types of every workspace with a tsconfig.json separately, and writes nothing.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './stamp.mjs';

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

for (const workspace of [...workspaces, 'test/browser'].filter((name) =>
  existsSync(join(root, name, 'tsconfig.json')),
)) {
  const isFine = await check(workspace);
  console.log(`${workspace}: ${isFine ? 'no type errors' : 'type errors'}`);
  if (!isFine) process.exitCode = 1;
}

function check(workspace) {
  const child = spawn(process.execPath, [tsc, '-p', workspace, '--noEmit'], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}
