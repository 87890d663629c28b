// Records every connect() of a process with strace, if it is installed: the kernel's view of its connections.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KernelWatch {
  /** Returns the addresses, each once. */
  stop(): Promise<string[]>;
}

const ADDRESS = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/g;

/** Returns undefined without strace, or without the permission to trace. */
export async function watchConnects(pid: number, folder: string): Promise<KernelWatch | undefined> {
  if (spawnSync('strace', ['-V']).status !== 0) return undefined;
  const file = join(folder, `connects-${pid}`);
  const child = spawn('strace', ['-f', '-e', 'trace=connect', '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isAttached = await new Promise<boolean>((resolve) => {
    child.stderr.on('data', (text: Buffer) => text.includes('attached') && resolve(true));
    child.once('exit', () => resolve(false));
  });
  if (!isAttached) return undefined;
  return {
    async stop() {
      child.kill('SIGINT');
      await ended;
      return [...new Set([...readFileSync(file, 'utf8').matchAll(ADDRESS)].map(([, v4, v6]) => v4 ?? v6 ?? ''))];
    },
  };
}
