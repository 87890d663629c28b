// One node: a process of `slipway-server` in a role, whose output goes into a file.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Node {
  name: string;
  logFile: string;
  /** Its exit code; null when a signal ended it. */
  exited: Promise<number | null>;
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Stops a node whose starter is gone, in whatever way that ended: then nothing holds the other end of its input. */
const ENDS_WITH_STARTER = `import('node:process').then(({ default: own }) => {
  own.stdin.on('end', () => own.kill(own.pid, 'SIGTERM')).resume().unref();
})`;

export function startNode(options: {
  name: string;
  /** The folder that holds `server/dist`. */
  home: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
}): Node {
  const { name, home, args, env, logFile } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w', 0o600);
  // A group of its own: a terminal's Ctrl-C reaches who started it alone, who stops it in its turn.
  const lifeline = ['--import', `data:text/javascript,${encodeURIComponent(ENDS_WITH_STARTER)}`];
  const child: ChildProcess = spawn(process.execPath, [...lifeline, `${home}/server/dist/main.js`, ...args], {
    env,
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    name,
    logFile,
    exited,
    stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return exited;
    },
    kill: (signal) => void child.kill(signal),
  };
}

export const endOfLog = ({ logFile }: Node): string => readFileSync(logFile, 'utf8').split('\n').slice(-20).join('\n');
