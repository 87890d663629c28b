// A command with curl, as a shell reads it.
import { execFileSync } from 'node:child_process';

/** The arguments that a function in the place of curl is given. */
export function runShell(command: string, key: string): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\000' "$one"; done; }\n${command}\n`;
  const out = execFileSync('/bin/sh', ['-c', script], { env: { SLIPWAY_KEY: key, PATH: '' } });
  return out.toString().split('\0').slice(0, -1);
}
