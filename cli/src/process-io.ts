// Connects a command to the streams of the process.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';

export function processIo(interrupted: AbortSignal, holdExit: () => void): Io {
  const { stdin, stdout, stderr } = process;
  return {
    out: (text) => stdout.write(text),
    outBytes: (bytes) => stdout.write(bytes),
    err: (text) => stderr.write(text),
    async readAll() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
    ask: (question, { isHidden = false } = {}) => ask(question, isHidden),
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns || 80,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    openBrowser,
    interrupted,
    holdExit,
  };
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

// Without a shell, so that no part of the address is executed.
function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  opener.once('error', () => {}); // no browser is installed
  opener.unref();
}

// Asks on stderr, so that stdout holds data only.
function ask(question: string, isHidden: boolean): Promise<string | undefined> {
  const { stdin, stderr } = process;
  stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: isHidden ? nowhere : stderr, terminal: true });
  return new Promise((resolve) => {
    const end = (answer: string | undefined): void => {
      resolve(answer);
      lines.close();
      if (isHidden) stderr.write('\n');
    };
    lines.once('line', end);
    lines.once('SIGINT', () => end(undefined));
    lines.once('close', () => end(undefined)); // Ctrl-D
  });
}
