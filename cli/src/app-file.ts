// Reads the file of `slipway apply`. Each error names the file, the line and the field.
import { readFileSync } from 'node:fs';
import type { EndpointChange, EndpointInput, FaultInput, KeyInput, WorldReset } from '@slipway/sdk/management';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { API_SCHEMAS } from './api-operation.ts';
import { appFileSchema } from './app-file-schema.ts';
import { UsageError } from './errors.ts';
import { escapeText } from './text.ts';

/** The place of a value in the file: `['endpoints', 0, 'url']`. */
export type FilePath = readonly (string | number)[];

export type EndpointSpec = Omit<EndpointInput, 'keyId' | 'keyIds'> & { key: string } & Pick<EndpointChange, 'state'>;
export type FaultSpec = Partial<Pick<FaultInput, 'operationId' | 'share'>> &
  Pick<FaultInput, 'effect'> & { isEnabled?: boolean };

/** The content of the file. `apply` does not change a missing part. */
export interface AppFile {
  app?: string;
  world?: WorldReset;
  keys?: readonly KeyInput[];
  endpoints?: readonly EndpointSpec[];
  faults?: readonly FaultSpec[];
}

export interface ReadAppFile {
  content: AppFile;
  /** Returns an error such as `app.yaml:12: endpoints[0].url must be …`. */
  errorAt(path: FilePath, text: string): UsageError;
}

/** The refusal of a file with a value that is not in the default contract, and that another contract can have. */
export class UnknownNameError extends UsageError {}

type Schemas = Parameters<typeof appFileSchema>[0];

/**
 * Reads and validates a file. `schemas` are those of the management API. Throws a `UsageError` that lists every fault.
 */
export function readAppFile(name: string, schemas: Schemas = API_SCHEMAS.management): ReadAppFile {
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (error) {
    throw new UsageError(`${escapeText(name)} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
  return parseAppFile(name, text, schemas);
}

export function parseAppFile(name: string, text: string, schemas: Schemas = API_SCHEMAS.management): ReadAppFile {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lineOf = (path: FilePath): number => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const lineAt = (path: FilePath, words: string): string =>
    `${name}:${lineOf(path)}: ${[nameOf(path), words].filter(Boolean).join(' ')}`;
  const fail = (lines: readonly string[]): UsageError => new UsageError(escapeText(lines[0] ?? '') + rest(lines));
  const [fault] = document.errors;
  if (fault) {
    const line = fault.linePos?.[0].line ?? 1;
    throw fail([`${name}:${line}: ${fault.message.split('\n')[0]}`]);
  }
  const content: unknown = document.toJS() ?? {};
  const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, verbose: true }).compile(
    appFileSchema(schemas),
  );
  if (!validate(content)) {
    const errors = validate.errors ?? [];
    const refusal = fail(linesOf(errors, content, lineAt));
    throw errors.some(({ keyword }) => keyword === 'enum') ? new UnknownNameError(refusal.message) : refusal;
  }
  const file = content as AppFile; // validated by the schema
  const twins = [...twinsIn('keys', file.keys, ({ name: one }) => one), ...twinsIn('endpoints', file.endpoints, urlOf)];
  if (twins.length > 0) throw fail(twins.map(([path, words]) => lineAt(path, words)));
  return { content: file, errorAt: (path, words) => fail([lineAt(path, words)]) };
}

const rest = (lines: readonly string[]): string =>
  lines
    .slice(1)
    .map((line) => `\n${escapeText(line)}`)
    .join('');

/** Returns the normal form of a URL, as the API stores it. */
export const urlOf = ({ url }: { url: string }): string => (URL.canParse(url) ? new URL(url).href : url);

function twinsIn<T>(part: string, items: readonly T[] = [], identify: (item: T) => string): [FilePath, string][] {
  const ids = items.map(identify);
  return ids.flatMap((id, at) =>
    ids.indexOf(id) < at ? [[[part, at], `repeats ${part}[${ids.indexOf(id)}].`] as [FilePath, string]] : [],
  );
}

/** Returns `endpoints[0].url`. */
const nameOf = (path: FilePath): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');

/** Returns one line for each faulty field: the first error that names it. */
function linesOf(
  errors: readonly ErrorObject[],
  content: unknown,
  lineAt: (path: FilePath, words: string) => string,
): string[] {
  // An `anyOf` or `oneOf` reports each alternative. The error of the keyword itself comes last and says less.
  const lines = new Map<string, string>();
  for (const error of errors) {
    const path = [...pathOf(error.instancePath, content), ...fieldOf(error)];
    const name = nameOf(path);
    if (!lines.has(name)) lines.set(name, lineAt(path, wordsOf(error)));
  }
  return [...lines.values()];
}

function pathOf(pointer: string, content: unknown): FilePath {
  let at = content;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(at) ? Number(key) : key;
      at = (at as Record<string | number, unknown>)[step]; // the validator found a value at the pointer
      return step;
    });
}

function fieldOf({ keyword, params }: ErrorObject): string[] {
  const { additionalProperty } = params as { additionalProperty?: string };
  return keyword === 'additionalProperties' && additionalProperty !== undefined ? [additionalProperty] : [];
}

function wordsOf({ keyword, message = 'is invalid', params, schema }: ErrorObject): string {
  const { missingProperty, pattern, limit } = params as { missingProperty?: string; pattern?: string; limit?: number };
  if (keyword === 'additionalProperties') return 'is not a field of the file.';
  if (keyword === 'required') return `requires ${missingProperty}.`;
  if (keyword === 'enum') return `must be one of ${(schema as readonly unknown[]).join(', ')}.`; // an enum is a list
  if (keyword === 'pattern') return `must match ${pattern}.`;
  if (keyword === 'minimum') return `must be at least ${limit}.`;
  if (keyword === 'maximum') return `must be at most ${limit}.`;
  return `${message}.`;
}
