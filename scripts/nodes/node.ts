// One node: a process of `slipway-server` in a role, whose output goes to a file.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Node {
  name: string;
  logFile: string;
  /** Resolves with its exit code; null if a signal ended it. */
  exited: Promise<number | null>;
  /** Sends SIGTERM. Resolves with its exit code. */
  stop(): Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Stops a node after its starter has ended in any way, when the other end of its standard input is closed. */
const ENDS_WITH_STARTER = `import('node:process').then(({ default: own }) => {
  own.stdin.on('end', () => own.kill(own.pid, 'SIGTERM')).resume().unref();
})`;

export function startNode(options: {
  name: string;
  /** The folder that contains `server/dist`. */
  home: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
}): Node {
  const { name, home, args, env, logFile } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w', 0o600);
  // A separate process group: Ctrl-C of a terminal reaches only the starter, which then stops the node.
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
