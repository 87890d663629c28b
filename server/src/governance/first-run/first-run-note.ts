// The one block of text that a first start shows: at a terminal, or otherwise in a note in the data folder. Only its
// owner can read the note, and the first sign-in removes it. Keys and links are never logged.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOperatorContract } from '../../access/contracts/index.ts';

export interface FirstRun {
  signInUrl: string;
  apiUrl: string;
  receiverUrl: string | undefined;
  /** The demo's key and one of its servers; undefined if the demo already existed. */
  demo: { token: string; serverId: string } | undefined;
}

export function firstRunBlock(run: FirstRun): string {
  const lines = ['', '  Slipway is ready.', '', `  Console    ${run.signInUrl}`];
  lines.push('             (signs you in as the owner; the link works once)', `  Sandbox    ${run.apiUrl}/v1`);
  if (run.receiverUrl) lines.push(`  Receiver   ${run.receiverUrl}    (shows each webhook that arrives)`);
  if (run.demo) lines.push(...demoLines(run.apiUrl, run.demo));
  return [...lines, ''].join('\n');
}

function demoLines(apiUrl: string, { token, serverId }: NonNullable<FirstRun['demo']>): string[] {
  const authorization = `-H 'Authorization: Bearer ${token}'`;
  const body = `'{"subject":"Hello","body":"My first ticket."}'`;
  const calls = [
    '  List servers:',
    `  curl ${authorization} ${apiUrl}/v1/servers`,
    '',
    '  Create a ticket, and see its webhook arrive:',
    `  curl ${authorization} -H 'Content-Type: application/json' -d ${body} ${apiUrl}/v1/servers/${serverId}/tickets`,
  ];
  return [
    `  Demo key   ${token}`,
    '             (shown only this once, so store it; Slipway keeps only a verifier)',
    '',
    ...(isOperatorContract ? ['  Show the key and its app:', `  curl ${authorization} ${apiUrl}/v1/me`] : calls),
  ];
}

const noteFile = (dataDir: string): string => join(dataDir, 'first-run.txt');

/** Writes the note and returns its path. */
export async function writeNote(dataDir: string, run: FirstRun): Promise<string> {
  const file = noteFile(dataDir);
  // Atomic, because a script may wait for the file and read it immediately.
  const unfinished = `${file}.new`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${firstRunBlock(run)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
  return file;
}

export async function removeNote(dataDir: string): Promise<void> {
  for (const file of [noteFile(dataDir), `${noteFile(dataDir)}.new`]) await rm(file, { force: true });
}
