// The one block that a first start shows: at a terminal, or else in a note in the data folder that only its owner can
// read and that the first sign-in removes. Keys and links do not go into logs.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FirstRun {
  signInUrl: string;
  apiUrl: string;
  receiverUrl: string | undefined;
  /** The demo's key and one of its servers; only when it was made just now. */
  demo: { token: string; serverId: string } | undefined;
}

export function firstRunBlock(run: FirstRun): string {
  const lines = ['', '  Slipway is ready.', '', `  Console    ${run.signInUrl}`];
  lines.push('             (signs you in as the owner; the link works once)', `  Sandbox    ${run.apiUrl}/v1`);
  if (run.receiverUrl) lines.push(`  Receiver   ${run.receiverUrl}    (shows each webhook that arrives)`);
  if (run.demo) lines.push(...demoLines(run.apiUrl, run.demo));
  return [...lines, ''].join('\n');
}

function demoLines(apiUrl: string, demo: NonNullable<FirstRun['demo']>): string[] {
  const authorization = `-H 'Authorization: Bearer ${demo.token}'`;
  const body = `'{"subject":"Hello","body":"My first ticket."}'`;
  return [
    `  Demo key   ${demo.token}`,
    '             (shown this once, so keep it; only a verifier of it is stored)',
    '',
    '  List servers:',
    `  curl ${authorization} ${apiUrl}/v1/servers`,
    '',
    '  Create a ticket, and see its webhook arrive:',
    `  curl ${authorization} -H 'Content-Type: application/json' -d ${body} ${apiUrl}/v1/servers/${demo.serverId}/tickets`,
  ];
}

const noteFile = (dataDir: string): string => join(dataDir, 'first-run.txt');

/** Returns where the note is. */
export async function writeNote(dataDir: string, run: FirstRun): Promise<string> {
  const file = noteFile(dataDir);
  // Whole or not at all: a script may wait for the file and read it at once.
  const unfinished = `${file}.new`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${firstRunBlock(run)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
  return file;
}

export async function removeNote(dataDir: string): Promise<void> {
  for (const file of [noteFile(dataDir), `${noteFile(dataDir)}.new`]) await rm(file, { force: true });
}
