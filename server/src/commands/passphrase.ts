// Reads the passphrase of a backup from a file or from standard input. An argument could be read by every process of
// the machine.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../config/config.ts';
import { type Secret, secret } from '../kit/crypto/secret.ts';

export const PASSPHRASE_OPTIONS = { 'passphrase-file': { type: 'string' } } as const;

const MIN_CHARACTERS = 12;

export async function readPassphrase(file: string | boolean | undefined): Promise<Secret> {
  const content =
    typeof file === 'string' && file !== '-' ? await readFile(file, 'utf8').catch(explain) : await readInput();
  const passphrase = content.replace(/\r?\n$/, '');
  if (passphrase.length < MIN_CHARACTERS) {
    throw new ConfigError(
      `The passphrase has fewer than ${MIN_CHARACTERS} characters. It is read from standard input, or from --passphrase-file.`,
    );
  }
  return secret(passphrase);
}

function explain(error: unknown): never {
  throw new ConfigError(`The passphrase cannot be read: ${error instanceof Error ? error.message : error}`);
}

function readInput(): Promise<string> {
  // A terminal would show it while it is typed.
  if (process.stdin.isTTY) throw new ConfigError('Pass the passphrase on standard input, or with --passphrase-file.');
  return text(process.stdin);
}
