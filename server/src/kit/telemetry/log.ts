// The only way from this process to its terminal and its log. On a terminal a line is text, otherwise it is JSON. A
// line contains no control characters for a terminal, and keys in it are masked. A Secret prints as [secret].
import { inspect } from 'node:util';
import pino from 'pino';
import { inert, inertJsonLines, inertLines } from '../text/inert.ts';
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
  if (isTerminal) return { info: (message, fields) => console.log(inWords(message, fields)), error: errorInWords };
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: (value: unknown) => value } },
    { write: (line) => void output.write(inertJsonLines(line)) },
  );
  return {
    info: (message, fields = {}) => logger.info(masked(fields), redactKeys(message)),
    error: (message, error, fields = {}) => logger.error(masked({ ...fields, err: error }), redactKeys(message)),
  };
}

/** Prints a line of a command's output, which may contain a new secret on purpose. */
export function printAnswer(text: string): void {
  console.log(inertLines(text));
}

/** Prints why a process ends, or a complaint of a library: a sentence, or an error with its stack. */
export function printFailure(failure: unknown): void {
  const text = typeof failure === 'string' ? failure : inspect(failure);
  console.error(inertLines(text.split('\n').map(redactKeys).join('\n')));
}

// Deeper than anything that is logged. The limit also ends circular objects.
const MAX_DEPTH = 8;

/** Returns the value as JSON would show it, without the secret half of any key in it, property names included. */
function masked<T>(value: T, depth?: number): T;
function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactKeys(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return masked(pino.stdSerializers.err(value), depth + 1);
  if ('toJSON' in value && typeof value.toJSON === 'function') return masked(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((part) => masked(part, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [redactKeys(name), masked(part, depth + 1)]));
}

function inWords(message: string, fields: object = {}): string {
  const rest = Object.entries(masked(fields)).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return [redactKeys(message), ...rest].map(inert).join('  ');
}

function errorInWords(message: string, error: unknown, fields?: object): void {
  const reason = error instanceof Error ? error.message : typeof error === 'string' ? error : inspect(masked(error));
  console.error(`${inWords(message, fields)}\n  ${inert(redactKeys(reason))}`);
}
