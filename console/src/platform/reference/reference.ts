// Collects the entries of the reference from the contract: operations, events, problems and schemas.
import {
  type BodyDescription,
  bodyOf,
  type Document,
  type DocumentOperation,
  type ExplainedProblem,
  nodesOf,
  type Parameter,
  type ReplyDescription,
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
  /** Scope that a key needs. Null: any key. Undefined: no key. */
  scope: string | null | undefined;
  parameters: Parameter[];
  body: BodyDescription | undefined;
  replies: ReplyDescription[];
  problems: Problem[];
}

/** An event type that is delivered to endpoints. */
export type EventKind = Omit<Operation, 'scope' | 'problems' | 'method' | 'path'>;

export interface Problem extends Omit<ExplainedProblem, 'mend'> {
  fix: string;
  code: string;
  status: string;
  title: string;
  /** Address of the problem's page. */
  page: string | undefined;
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
  const problems = Object.entries(document['x-problems'] ?? {})
    .map(toProblem)
    .sort((a, b) => a.status.localeCompare(b.status) || a.code.localeCompare(b.code));
  const toItem = (found: DocumentOperation): Operation => toOperation(document, found, problems);
  const events = nodesOf(document.webhooks).map((found) => ({ ...toItem(found), id: found.path }));
  return {
    document,
    title: document.info.title,
    version: document.info.version,
    description: document.info.description ?? '',
    tags: (document.tags ?? []).map(({ name, description = '' }) => ({ name, description })),
    operations: nodesOf(document.paths).map(toItem),
    events,
    problems,
    schemas: Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({ name, schema })),
  };
}

function toOperation(
  document: Document,
  { method, path, node }: DocumentOperation,
  all: readonly Problem[],
): Operation {
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
    problems: replies.filter((one) => one.body?.contentType === PROBLEM_TYPE).flatMap((one) => problemsOf(one, all)),
  };
}

function scopeOf(security: Record<string, string[]>[] | undefined): string | null | undefined {
  const [scheme] = Object.values(security?.[0] ?? {});
  return scheme && (scheme[0] ?? null);
}

function toProblem([code, { mend: fix, ...explained }]: [string, ExplainedProblem]): Problem {
  const { type, title, status } = explained.example;
  return { ...explained, fix, code, status: String(status), title, page: /^https?:/.test(type) ? type : undefined };
}

// Examples of refusals are named after problem codes.
const problemsOf = ({ body }: ReplyDescription, problems: readonly Problem[]): Problem[] =>
  (body?.examples ?? []).flatMap(({ name }) => problems.filter((one) => one.code === name));
