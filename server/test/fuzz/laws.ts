// What holds for the answer to any request whatever.
import { problemsOf } from '../../src/kit/openapi.ts';
import { PROBLEMS } from '../../src/kit/problems.ts';
import type { Verdict } from './oracle.ts';
import type { Draft, FuzzedOperation } from './requests.ts';
import type { Surface } from './surface.ts';
import type { WireResponse } from './wire.ts';

const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

// What no schema can say of these: that the service gave it out, that the app owns it, that webhooks may go there.
const BEYOND_SCHEMA = new Set(['/query/cursor', '/query/after', '/keyId', '/url', '/currentPassword']);

interface Problem {
  status?: unknown;
  code?: unknown;
  requestId?: unknown;
  errors?: { pointer: string }[];
}

/** The laws that an answer breaks, in words. */
export function brokenLaws(
  surface: Surface,
  operation: FuzzedOperation,
  draft: Draft,
  response: WireResponse,
): string[] {
  const { request } = draft;
  const described = surface.oracle.describe(operation.documentPath, operation.method);
  const isRead = request.method === 'GET' || (request.method === 'HEAD' && operation.method === 'GET');
  const isOwnMethod = request.method === operation.method || isRead;
  const verdict = verdictOf(surface, operation, draft, isOwnMethod);
  const broken = [...headerLaws(response)];
  if (response.status >= 500) broken.push('a refusal is never the service’s own failure');
  if (response.status < 400 && isOwnMethod && verdict === 'breaks')
    broken.push('what the contract refuses is not taken');
  if (response.status < 400 && !isOwnMethod && !isShared(surface, operation, request.method))
    broken.push('a method that is not there answers nothing');
  if (response.status === 400 && verdict === 'fits' && !isBeyond(response))
    broken.push('what fits the contract is not refused for its form');
  if (response.status >= 400) return [...broken, ...problemLaws(surface, operation, response, isOwnMethod)];
  if (!isOwnMethod || response.status === 304) return broken;
  const reply = described?.responses[String(response.status)];
  if (!reply) broken.push(`the status ${response.status} is documented`);
  const [type = ''] = response.headers.get('content-type') ?? [];
  const media = Object.keys(reply?.content ?? {}).find((one) => sameType(one, type));
  if (response.body !== '' && reply && media === undefined) broken.push(`the content type ${type} is documented`);
  if (media?.includes('json') && request.method !== 'HEAD') {
    const path = [
      'paths',
      operation.documentPath,
      operation.method.toLowerCase(),
      'responses',
      String(response.status),
      'content',
      media,
      'schema',
    ];
    const at = path.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
    if (!surface.oracle.fits(at, JSON.parse(response.body))) broken.push('the body fits its schema');
  }
  return broken;
}

function verdictOf(
  surface: Surface,
  operation: FuzzedOperation,
  { request, isPlain }: Draft,
  isOwnMethod: boolean,
): Verdict {
  if (!isOwnMethod) return 'unclear';
  const verdict = surface.oracle.judge(operation.documentPath, operation.method, {
    ...request,
    target: documentTarget(operation, request.target),
  });
  return isPlain || verdict === 'breaks' ? verdict : 'unclear';
}

// The plane's own listener serves the paths of the Console's contract without what stands before them there.
const documentTarget = ({ path, documentPath }: FuzzedOperation, target: string): string =>
  documentPath.slice(0, documentPath.length - path.length) + target;

const sameType = (a: string, b: string): boolean => a.split(';')[0]?.trim() === b.split(';')[0]?.trim();

const isShared = (surface: Surface, { path }: FuzzedOperation, method: string): boolean =>
  surface.operations.some(
    (other) => other.path === path && (other.method === method || (other.method === 'GET' && method === 'HEAD')),
  );

function headerLaws({ headers }: WireResponse): string[] {
  const ids = headers.get('request-id') ?? [];
  return ids.length === 1 && REQUEST_ID.test(ids[0] ?? '') ? [] : ['every answer has one Request-Id'];
}

const problemOf = (response: WireResponse): Problem | undefined => {
  try {
    return JSON.parse(response.body) as Problem; // its form is judged by the schema
  } catch {
    return undefined;
  }
};

function isBeyond(response: WireResponse): boolean {
  const errors = problemOf(response)?.errors ?? [];
  return errors.length > 0 && errors.every(({ pointer }) => BEYOND_SCHEMA.has(pointer));
}

function problemLaws(
  surface: Surface,
  operation: FuzzedOperation,
  response: WireResponse,
  isOwnMethod: boolean,
): string[] {
  const [type = ''] = response.headers.get('content-type') ?? [];
  if (response.body === '') return []; // a HEAD
  const broken: string[] = [];
  const problem = problemOf(response);
  if (!sameType(type, 'application/problem+json')) broken.push(`a refusal is a problem, not ${type}`);
  if (!surface.oracle.fits('/components/schemas/Problem', problem)) broken.push('a problem fits its schema');
  if (problem?.status !== response.status) broken.push('a problem names the status');
  if (problem?.requestId !== response.headers.get('request-id')?.[0]) broken.push('a problem names the request');
  const documented: readonly string[] = problemsOf(operation);
  const isKnown =
    documented.includes(String(problem?.code)) || (!isOwnMethod && problem?.code === 'method_not_allowed');
  if (!isKnown) broken.push(`the problem ${problem?.code} is documented`);
  const described = surface.oracle.describe(operation.documentPath, operation.method);
  const isShown = described?.responses[String(response.status)]?.content?.['application/problem+json'] !== undefined;
  if (isOwnMethod && !isShown) broken.push(`the status ${response.status} is documented`);
  if (PROBLEMS[problem?.code as keyof typeof PROBLEMS]?.status !== response.status)
    broken.push('the status is the code’s'); // looked up, found or not
  return broken;
}
