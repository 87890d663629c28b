// Runs the CLI in tests: captures its output, and stores profiles in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../src/config.ts';
import type { Io } from '../src/io.ts';
import { run } from '../src/run.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
  /** Bytes on stdout that were not written as text. */
  bytes: Buffer;
  /** Parses the output as JSON, one value per line. */
  lines(): Record<string, unknown>[];
}

export interface Terminal {
  configFile: string;
  /** Environment variables of the next commands. */
  env: Record<string, string>;
  /** Runs a command line in this process. With `answers`, the terminal can ask questions. */
  run(line: string | readonly string[], options?: RunOptions): Promise<Ran>;
  remove(): void;
}

export interface RunOptions {
  stdin?: string | Buffer;
  /** Answers in their order. Undefined is Ctrl-C at the question. */
  answers?: (string | undefined)[];
  isTerminal?: boolean;
  columns?: number;
  interrupted?: AbortSignal;
  /** Receives the address of each page that a browser would open. */
  onBrowser?(url: string): void;
  /** Receives text on stdout as soon as it is printed. */
  onOut?(text: string): void;
  onErr?(text: string): void;
}

export function newTerminal(): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
  const terminal: Terminal = {
    configFile: join(folder, 'slipway', 'config.json'),
    env: {},
    async run(line, options = {}) {
      const printed = { out: '', err: '', bytes: Buffer.alloc(0) };
      const io = ioOf(printed, options);
      const settings = readSettings({ XDG_CONFIG_HOME: folder, NO_COLOR: '1', ...terminal.env });
      const code = await run(typeof line === 'string' ? line.split(' ') : line, io, settings);
      return {
        code,
        ...printed,
        lines: () =>
          printed.out
            .trim()
            .split('\n')
            .filter(Boolean)
            .map((one) => JSON.parse(one)),
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  return terminal;
}

/** Returns an `Io` that writes into two texts, and collects bytes separately. */
export function ioOf(printed: { out: string; err: string; bytes?: Buffer }, options: RunOptions): Io {
  const { stdin = '', answers, columns = 80, onOut, onErr } = options;
  return {
    out(text) {
      printed.out += text;
      onOut?.(text);
    },
    outBytes(bytes) {
      printed.bytes = Buffer.concat([printed.bytes ?? Buffer.alloc(0), bytes]);
    },
    err(text) {
      printed.err += text;
      onErr?.(text);
    },
    readAll: async () => Buffer.from(stdin),
    async ask(question) {
      printed.err += question;
      return answers?.shift();
    },
    isTerminal: options.isTerminal ?? answers !== undefined,
    columns,
    canAsk: answers !== undefined,
    openBrowser: (url) => options.onBrowser?.(url),
    interrupted: options.interrupted ?? new AbortController().signal,
    holdExit() {},
  };
}
