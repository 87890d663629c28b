// Runs the scripts of `slipway completion` in each shell that is installed on this machine.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './slipway.ts';

// The arguments with which each shell prints the completions of `slipway requests t`. For zsh only its part of the
// script runs, because the completion itself requires a terminal.
const ASKED: Record<string, string[]> = {
  bash: [
    '-c',
    `source <(slipway completion bash); COMP_WORDS=(slipway requests t) COMP_CWORD=2; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: [
    '-f',
    '-c',
    `compdef() {}; _describe() { print -l "\${(@)found%%:*}" }
     source <(slipway completion zsh); words=(slipway requests t); CURRENT=3; _slipway`,
  ],
  fish: [
    '--no-config',
    '-c',
    "slipway completion fish | source; complete -C 'slipway requests t' | string replace -r '\\t.*' ''",
  ],
  pwsh: [
    '-NoProfile',
    '-Command',
    "slipway completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'slipway requests t' -cursorColumn 18).CompletionMatches.CompletionText",
  ],
};
const shells = Object.keys(ASKED).filter((shell) => spawnSync(shell, ['--version']).status === 0);
for (const shell of Object.keys(ASKED)) if (!shells.includes(shell)) console.warn(`There is no ${shell} here.`);

let bin: string;

beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'slipway-completion-'));
  const command = join(bin, 'slipway');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'cli/bin/slipway.mjs')}' "$@"\n`);
  chmodSync(command, 0o755);
});
afterAll(() => rmSync(bin, { recursive: true }));

test('bash is installed', () => {
  expect(shells).toContain('bash');
});

test.each(shells)('%s completes a typed command', (shell) => {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(shell, ASKED[shell] ?? [], { env, encoding: 'utf8' });
  expect([stdout.trim().split('\n'), stderr]).toEqual([['tail', 'trace'], '']);
});
