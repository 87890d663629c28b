// Turns the record of a request into snippets.

import { Type } from '../../kit/http/schema.ts';
import { findOmittedParts, type RequestRow } from '../requests/index.ts';
import { type KnownOperation, type RequestSnippets, type SnippetRequest, snippetsOf } from './snippet.ts';

interface SnippetSources {
  /** The operations of /v1. */
  operations: readonly KnownOperation[];
  baseUrl: string;
  /** The body as it was sent, if it is stored. */
  body?: string | undefined;
}

export function toRequestSnippets(record: RequestRow, { operations, baseUrl, body }: SnippetSources): RequestSnippets {
  const { method, path, query, simulated } = record;
  const operation = operations.find(({ id }) => id === record.operation_id);
  const omittedParts = findOmittedParts(record);
  const hasBody = omittedParts.includes('body');
  const snippets = snippetsOf({ baseUrl, method, path, query, operation, hasBody, body, simulated });
  const isRepeated = (part: string): boolean => part === 'body' && body !== undefined && method !== 'GET';
  return { ...snippets, isComplete: omittedParts.every(isRepeated) };
}

const EXAMPLE: SnippetRequest = {
  method: 'GET',
  baseUrl: 'https://sandbox.example.org',
  path: '/v1/servers',
  query: 'limit=2',
  operation: {
    id: 'listServers',
    method: 'GET',
    path: '/v1/servers',
    query: Type.Object({ limit: Type.Integer() }),
  },
  hasBody: false,
  simulated: null,
};

export const exampleSnippets: RequestSnippets = { ...snippetsOf(EXAMPLE), isComplete: true };
