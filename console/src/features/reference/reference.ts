// What the reference shows: operations, events, problems and schemas, each found in the contract.
import {
  type BodyOf,
  bodyOf,
  type Document,
  type Found,
  nodesOf,
  type Parameter,
  type ReplyOf,
  repliesOf,
  resolve,
  type Schema,
} from './document.ts';

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  /** The scope that a key needs; null when any key will do, undefined when none is needed. */
  scope: string | null | undefined;
  parameters: Parameter[];
  body: BodyOf | undefined;
  replies: ReplyOf[];
  problems: Problem[];
}

/** What is sent to an app's endpoints. */
export type EventKind = Omit<Operation, 'scope' | 'problems' | 'method' | 'path'>;

export interface Problem {
  code: string;
  status: string;
  title: string;
  meaning: string;
  /** The address of its page. */
  page: string | undefined;
  example: unknown;
}

export interface NamedSchema {
  name: string;
  schema: Schema;
}

export interface Reference {
  document: Document;
  title: string;
  version: string;
  description: string;
  tags: { name: string; description: string }[];
  operations: Operation[];
  events: EventKind[];
  problems: Problem[];
  schemas: NamedSchema[];
}

const PROBLEM_TYPE = 'application/problem+json';

export function readReference(document: Document): Reference {
  const operations = nodesOf(document.paths).map((found) => toOperation(document, found));
  const events = nodesOf(document.webhooks).map((found) => ({ ...toOperation(document, found), id: found.path }));
  const problems = new Map(operations.flatMap((one) => one.problems).map((one) => [one.code, one]));
  return {
    document,
    title: document.info.title,
    version: document.info.version,
    description: document.info.description ?? '',
    tags: (document.tags ?? []).map(({ name, description = '' }) => ({ name, description })),
    operations,
    events,
    problems: [...problems.values()].sort((a, b) => a.status.localeCompare(b.status) || a.code.localeCompare(b.code)),
    schemas: Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({ name, schema })),
  };
}

function toOperation(document: Document, { method, path, node }: Found): Operation {
  const replies = repliesOf(document, node);
  const request = node.requestBody && resolve<{ content?: Parameters<typeof bodyOf>[1] }>(document, node.requestBody);
  return {
    id: node.operationId ?? `${method} ${path}`,
    method,
    path,
    tag: node.tags?.[0] ?? 'Other',
    summary: node.summary ?? path,
    description: node.description ?? '',
    isDeprecated: node.deprecated === true,
    scope: scopeOf(node.security),
    parameters: (node.parameters ?? []).map((one) => resolve<Parameter>(document, one)),
    body: bodyOf(document, request?.content),
    replies: replies.filter((one) => one.body?.contentType !== PROBLEM_TYPE),
    problems: replies.filter((one) => one.body?.contentType === PROBLEM_TYPE).flatMap(problemsOf),
  };
}

function scopeOf(security: Record<string, string[]>[] | undefined): string | null | undefined {
  const [scheme] = Object.values(security?.[0] ?? {});
  return scheme && (scheme[0] ?? null);
}

// Each of its examples is a problem as it is answered; what it means stands in the description, a paragraph for each code.
function problemsOf({ status, description, body }: ReplyOf): Problem[] {
  const meanings = new Map(
    [...description.matchAll(/`([a-z_]+)`: ([^\n]+)/g)].map(([, code = '', meaning = '']) => [code, meaning]),
  );
  return (body?.examples ?? []).flatMap(({ value }) => {
    const { code, title, type } = (value ?? {}) as { code?: unknown; title?: unknown; type?: unknown };
    if (typeof code !== 'string') return [];
    const page = typeof type === 'string' && /^https?:/.test(type) ? type : undefined;
    const words = { title: String(title ?? code), meaning: meanings.get(code) ?? '' };
    return [{ code, status, ...words, page, example: value }];
  });
}
