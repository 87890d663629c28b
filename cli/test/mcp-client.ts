// Connects the client of the official SDK to `slipway mcp` as a process, over standard input and output.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Terminal } from './terminal.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the process with the profiles of the terminal. The caller closes the client, which ends the process. */
export async function connectMcp(
  terminal: Terminal,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['scripts/run-ts.mjs', 'cli/src/main.ts', 'mcp', ...args],
      cwd: root,
      env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: dirname(dirname(terminal.configFile)), ...env },
    }),
  );
  return client;
}
