// Searches the reference: every word must match, and entries with the words in their name come first.
import type { Document, Schema } from './document.ts';
import type { Operation, Reference } from './reference.ts';
import { coreOf } from './schema-labels.ts';

export const KINDS = ['operations', 'events', 'problems', 'schemas'] as const;
export type EntryKind = (typeof KINDS)[number];

export interface Entry {
  kind: EntryKind;
  /** Name in the address. */
  name: string;
  label: string;
  /** Method of an operation. */
  method?: string;
  /** Distinguishes the entry from others with a similar label. */
  note: string;
  /** Tag of an operation; undefined for other entries. */
  group?: string;
  title: string;
  text: string;
}

export function entriesOf(reference: Reference): Entry[] {
  return [
    ...reference.operations.map((operation) => operationEntry(operation, reference.document)),
    ...reference.events.map(({ id, summary, description }) => ({
      ...{ kind: 'events' as const, name: id, label: id, note: summary },
      ...searched([id, summary], [description, 'event webhook']),
    })),
    ...reference.problems.map(({ code, status, title, meaning, cause, fix }) => ({
      ...{ kind: 'problems' as const, name: code, label: code, note: `${status} ${title}` },
      ...searched([code, code.replaceAll('_', ' '), title], [status, meaning, cause, fix, 'problem error']),
    })),
    ...reference.schemas.map(({ name, schema }) => ({
      ...{ kind: 'schemas' as const, name, label: name, note: schema.description ?? '' },
      ...searched([name], [schema.description ?? '', ...fieldsOf(reference.document, schema), 'schema']),
    })),
  ];
}

/** Returns the names of a schema's fields, nested ones included. */
function fieldsOf(document: Document, schema: Schema, seen = new Set<object>()): string[] {
  const { properties, oneOf, anyOf } = coreOf(document, schema);
  const held = properties ?? oneOf ?? anyOf;
  if (held === undefined || seen.has(held)) return []; // has no fields, or contains itself
  seen.add(held);
  const inner = [...Object.values(properties ?? {}), ...(oneOf ?? []), ...(anyOf ?? [])];
  return [...Object.keys(properties ?? {}), ...inner.flatMap((one) => fieldsOf(document, one, seen))];
}

function operationEntry(operation: Operation, document: Document): Entry {
  const { id, method, path, tag, summary, description, scope, parameters, body } = operation;
  const names = [...parameters.map((one) => one.name), ...(body?.schema ? fieldsOf(document, body.schema) : [])];
  return {
    kind: 'operations',
    name: id,
    label: summary,
    method,
    note: path,
    group: tag,
    ...searched([summary, id, `${method} ${path}`], [tag, scope ?? '', description, ...names]),
  };
}

function searched(title: string[], text: string[]): Pick<Entry, 'title' | 'text'> {
  const lower = title.join('\n').toLowerCase();
  return { title: lower, text: `${lower}\n${text.join('\n').toLowerCase()}` };
}

export function find(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...entries];
  const rank = (entry: Entry): number => {
    if (!words.every((word) => entry.text.includes(word))) return 0;
    if (!words.every((word) => entry.title.includes(word))) return 1;
    return entry.title.startsWith(words.join(' ')) ? 3 : 2;
  };
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter((one) => one.rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map((one) => one.entry);
}
