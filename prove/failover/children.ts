// The processes, mounts and other things that the proof must not leave behind, however it ends.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { PostgresUser } from '../../server/src/embedded/postgres-user.ts';

const ends: (() => void)[] = [];

/** Runs a synchronous function at the end of this process, also after a failure, Ctrl-C or SIGTERM. The last is first. */
export const atEnd = (end: () => void): void => void ends.push(end);

process.once('exit', () => {
  for (const end of ends.toReversed()) {
    try {
      end();
    } catch (error) {
      console.error(error); // the others must run too
    }
  }
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

export interface Daemon {
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended in any way. */
  exited: Promise<void>;
}

export interface DaemonOptions {
  env: NodeJS.ProcessEnv;
  /** The file of its output. */
  log: string;
  /** Undefined for the user of this process. */
  user?: PostgresUser | undefined;
}

/** Starts a process that ends with this one. A Ctrl-C of the terminal does not reach it directly. */
export function startDaemon([program, ...args]: readonly [string, ...string[]], options: DaemonOptions): Daemon {
  const { env, log, user } = options;
  const output = openSync(log, 'a');
  const child = spawn(program, args, { env, stdio: ['ignore', output, output], cwd: '/', detached: true, ...user });
  closeSync(output);
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      console.error(`${program} does not start: ${error.message}`);
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  atEnd(() => kill('SIGKILL'));
  return { kill, exited };
}
