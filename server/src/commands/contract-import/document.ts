// Reads an OpenAPI document in JSON or YAML 1.2. The document is data from elsewhere: its size, depth and aliases are
// limited, and its objects inherit nothing.
import { type Alias, Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, type Node, Parser } from 'yaml';
import { parsePointer } from '../../kit/text/json-pointer.ts';
import { truncateText } from './words.ts';

export const MAX_BYTES = 8 * 1024 * 1024;
const MAX_VALUES = 500_000;
const MAX_DEPTH = 100;
/** The open tokens of a document that is nested more than MAX_DEPTH deep, with room for other tokens than collections. */
const MAX_OPEN_TOKENS = 2 * MAX_DEPTH;
const MAX_ALIASES = 1_000;
const NO_DOCUMENT = 'The document is neither JSON nor YAML 1.2.';
const TOO_DEEP = `The document is nested more than ${MAX_DEPTH} deep.`;

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** A document that cannot be imported. The message is a sentence with file and line. */
export class DocumentError extends Error {}

export interface OpenApiDocument {
  root: JsonObject;
  version: '3.0' | '3.1';
  /** Returns the line of the deepest existing part of a pointer. */
  lineOf(pointer: string): number;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a document. `name` is its file in messages. */
export function readDocument(name: string, text: string): OpenApiDocument {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new DocumentError(`${name} has more than ${MAX_BYTES / 1024 / 1024} MiB.`);
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line);
  const refuse = (offset: number, reason: string): never => {
    throw new DocumentError(`${name}:${lineAt(offset)}: ${reason}`);
  };
  const document = parseYaml(name, text, lineCounter, refuse);
  const [error] = document.errors;
  if (error) refuse(error.pos[0], `${NO_DOCUMENT} ${error.message}.`);
  const reader = createReader(document.anchors, lineAt, refuse);
  const root = document.contents === null ? null : reader.read(document.contents);
  if (!isObject(root)) throw new DocumentError(`${name}:1: The document must be an object.`);
  return { root, version: versionOf(name, root), lineOf: (pointer) => lineOf(root, reader.lines, pointer) };
}

interface ParsedDocument {
  errors: readonly { pos: [number, number]; message: string }[];
  contents: Node | null;
  anchors: (alias: Alias) => Node | undefined;
}

/**
 * Parses the document like `parseDocument` of the library, but refuses deep nesting before the library recurses into it:
 * V8 ends the process if it compiles a regular expression on an exhausted stack.
 */
function parseYaml(
  name: string,
  text: string,
  lineCounter: LineCounter,
  refuse: (offset: number, reason: string) => never,
): ParsedDocument {
  const parser = new Parser(lineCounter.addNewLine);
  function* tokens() {
    lineCounter.addNewLine(0);
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme);
      if (parser.stack.length > MAX_OPEN_TOKENS) refuse(parser.offset, TOO_DEEP);
    }
    yield* parser.end();
  }
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    uniqueKeys: false, // compares each key with each other one; `createReader` refuses a key twice
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [document] = composer.compose(tokens(), true, text.length);
  if (!document) throw new DocumentError(`${name}:1: The document must be an object.`);
  return { errors: document.errors, contents: document.contents, anchors: (alias) => alias.resolve(document) };
}

/** Adds the values of a merge key (`<<`) that the object does not have, as YAML 1.1 defines it. */
function mergeInto(object: JsonObject): void {
  const { '<<': merged } = object;
  const sources = (Array.isArray(merged) ? merged : [merged]).filter(isObject);
  if (sources.length === 0) return;
  delete object['<<'];
  for (const [name, value] of sources.flatMap((source) => Object.entries(source))) {
    if (!Object.hasOwn(object, name)) object[name] = value;
  }
}

type Lines = WeakMap<object, Map<string, number>>;

function createReader(
  resolve: ParsedDocument['anchors'],
  lineAt: (offset: number) => number,
  refuse: (offset: number, reason: string) => never,
): { read(node: Node): Json; lines: Lines } {
  const lines: Lines = new WeakMap();
  const known = new Map<Node, Json>();
  const open = new Set<Node>();
  let values = 0;
  let aliases = 0;
  const offsetOf = (node: Node): number => node.range?.[0] ?? 0;
  const read = (node: Node, depth: number): Json => {
    if (++values > MAX_VALUES) refuse(offsetOf(node), `The document has more than ${MAX_VALUES} values.`);
    if (depth > MAX_DEPTH) refuse(offsetOf(node), TOO_DEEP);
    if (isScalar(node)) return scalarOf(node.value);
    if (isAlias(node)) return readAlias(node, depth);
    open.add(node);
    const result = isMap(node) || isSeq(node) ? readCollection(node, depth) : null;
    open.delete(node);
    known.set(node, result);
    return result;
  };
  // An alias shares the value of its anchor, so that it costs nothing.
  const readAlias = (node: Alias, depth: number): Json => {
    if (++aliases > MAX_ALIASES) refuse(offsetOf(node), `The document has more than ${MAX_ALIASES} aliases.`);
    const target = resolve(node) ?? refuse(offsetOf(node), `The alias *${node.source} has no anchor.`);
    if (open.has(target)) refuse(offsetOf(node), `The alias *${node.source} is inside its own anchor.`);
    return known.get(target) ?? read(target, depth);
  };
  const readCollection = (node: Node, depth: number): Json => {
    const own = new Map<string, number>();
    const add = (key: string, at: Node, inner: unknown): Json => {
      own.set(key, lineAt(offsetOf(at)));
      return inner === null ? null : read(inner as Node, depth + 1); // parsed pairs hold nodes
    };
    let result: Json = [];
    if (isSeq(node)) result = node.items.map((item, index) => add(String(index), item as Node, item));
    if (isMap(node)) {
      const object: JsonObject = Object.create(null);
      for (const { key, value } of node.items) {
        const name = cleanText(String(isScalar(key) ? key.value : key));
        const at = key as Node; // parsed pairs hold nodes
        if (own.has(name))
          refuse(offsetOf(at), `${NO_DOCUMENT} The key ${JSON.stringify(truncateText(name, 60))} occurs twice.`);
        object[name] = add(name, at, value);
      }
      mergeInto(object);
      result = object;
    }
    if (result !== null) lines.set(Object(result), own);
    return result;
  };
  return { read: (node) => read(node, 0), lines };
}

const scalarOf = (value: unknown): Json => {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'boolean' ? value : null;
};

/** Returns a text without characters that PostgreSQL does not store. */
const cleanText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

function versionOf(name: string, root: JsonObject): '3.0' | '3.1' {
  const { openapi, swagger } = root;
  const version = /^3\.([01])\.\d+/.exec(String(openapi ?? ''))?.[1];
  if (version !== undefined) return version === '0' ? '3.0' : '3.1';
  const found = swagger === undefined ? `openapi: ${openapi ?? 'missing'}` : `swagger: ${swagger}`;
  throw new DocumentError(`${name}:1: The document must be OpenAPI 3.0 or 3.1 (${found.slice(0, 60)}).`);
}

function lineOf(root: JsonObject, lines: Lines, pointer: string): number {
  let value: unknown = root;
  let line = 1;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null) break;
    const next = lines.get(value)?.get(key);
    if (next === undefined) break;
    line = next;
    value = Reflect.get(value, key);
  }
  return line;
}
