// The only way from this process to its terminal and its log. On a terminal a line is text, otherwise it is JSON. A
// line contains no control characters for a terminal, and keys in it are masked. A Secret prints as [secret].
import { inspect } from 'node:util';
import pino from 'pino';
import {
  escapeControlCharacters,
  escapeControlCharactersInJson,
  escapeControlCharactersInLines,
} from '../text/control-characters.ts';
import { redactKeys } from '../text/redact.ts';

export interface Log {
  info(message: string, fields?: object): void;
  error(message: string, error: unknown, fields?: object): void;
}

/** Receives JSON lines. Stdout, unless a test reads them. */
interface Output {
  write(line: string): unknown;
}

export function createLog(isTerminal: boolean, output: Output = pino.destination({ sync: true })): Log {
  if (isTerminal) return { info: (message, fields) => console.log(printText(message, fields)), error: printErrorText };
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: (value: unknown) => value } },
    { write: (line) => void output.write(escapeControlCharactersInJson(line)) },
  );
  return {
    info: (message, fields = {}) => logger.info(maskSecrets(fields), redactKeys(message)),
    error: (message, error, fields = {}) => logger.error(maskSecrets({ ...fields, err: error }), redactKeys(message)),
  };
}

/** Prints a line of a command's output, which may contain a new secret on purpose. */
export function printOutput(text: string): void {
  console.log(escapeControlCharactersInLines(text));
}

/** Prints why a process ends, or a complaint of a library: a sentence, or an error with its stack. */
export function printFailure(failure: unknown): void {
  const text = typeof failure === 'string' ? failure : inspect(failure);
  console.error(escapeControlCharactersInLines(text.split('\n').map(redactKeys).join('\n')));
}

// Deeper than anything that is logged. The limit also ends circular objects.
const MAX_DEPTH = 8;

/** Returns the value as JSON would show it, without the secret half of any key in it, property names included. */
function maskSecrets<T>(value: T, depth?: number): T;
function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactKeys(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return maskSecrets(pino.stdSerializers.err(value), depth + 1);
  if ('toJSON' in value && typeof value.toJSON === 'function') return maskSecrets(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((part) => maskSecrets(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redactKeys(name), maskSecrets(part, depth + 1)]),
  );
}

function printText(message: string, fields: object = {}): string {
  const rest = Object.entries(maskSecrets(fields)).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return [redactKeys(message), ...rest].map(escapeControlCharacters).join('  ');
}

function printErrorText(message: string, error: unknown, fields?: object): void {
  const reason =
    error instanceof Error ? error.message : typeof error === 'string' ? error : inspect(maskSecrets(error));
  console.error(`${printText(message, fields)}\n  ${escapeControlCharacters(redactKeys(reason))}`);
}
