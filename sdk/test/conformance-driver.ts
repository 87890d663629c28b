// Runs the driver of an SDK in another language as a process: the input is JSON on stdin, and the results are JSON on
// stdout.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Input } from './conformance.fixture.ts';
import { root } from './installed.ts';
import { LANGUAGE_ENV } from './readme.fixture.ts';

export async function runDriver(
  [program = '', ...args]: readonly string[],
  folder: string,
  input: Input,
): Promise<Record<string, unknown>[]> {
  const child = spawn(program, args, {
    cwd: join(root, folder),
    env: { ...process.env, ...LANGUAGE_ENV },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.err += chunk;
  });
  child.stdin.end(JSON.stringify(input));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${program} ended with ${code}.\n${texts.err}`);
  return JSON.parse(texts.out) as Record<string, unknown>[]; // a driver writes its results in this form
}
