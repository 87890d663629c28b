// A terminal for tests: what a command printed, and a folder of its own for profiles.
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
  /** What was printed, as JSON, a line each. */
  lines(): Record<string, unknown>[];
}

export interface Terminal {
  configFile: string;
  /** What the environment holds, from the next command on. */
  env: Record<string, string>;
  /** Runs a command line in this process. `answers` makes it a terminal where somebody answers. */
  run(line: string | readonly string[], options?: RunOptions): Promise<Ran>;
  remove(): void;
}

export interface RunOptions {
  stdin?: string | Buffer;
  /** In their order; undefined is Ctrl-C at the question. */
  answers?: (string | undefined)[];
  isTerminal?: boolean;
  columns?: number;
  interrupted?: AbortSignal;
  /** Told of the page that a browser would show. */
  onBrowser?(url: string): void;
  /** Told of what is printed on stdout, at once. */
  onOut?(text: string): void;
  onErr?(text: string): void;
}

export function newTerminal(): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
  const terminal: Terminal = {
    configFile: join(folder, 'slipway', 'config.json'),
    env: {},
    async run(line, options = {}) {
      const printed = { out: '', err: '' };
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

/** A terminal's streams, into two texts. */
export function ioOf(printed: { out: string; err: string }, options: RunOptions): Io {
  const { stdin = '', answers, columns = 80, onOut, onErr } = options;
  return {
    out(text) {
      printed.out += text;
      onOut?.(text);
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
  };
}
