// Laws for the response to any request.
import { contractCheck } from '../contract-check.ts';
import type { Validity } from './contract-oracle.ts';
import type { Surface } from './fuzzed-service.ts';
import type { Draft, FuzzedOperation } from './requests.ts';
import type { WireResponse } from './wire.ts';

const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

// Pointers of fields whose rules a schema cannot express. Examples: the service issued the value, the app owns it, or
// webhooks may go there. Other fields depend on another field, must contain no secret, or must be later than another
// time.
const BEYOND_SCHEMA = new Set([
  '/query/cursor',
  '/cursor',
  '/query/serverId',
  '/query/after',
  '/keyId',
  '/keyIds',
  '/memberId',
  '/organisationName',
  '/url',
  '/routingKey',
  '/environments',
  '/currentPassword',
  '/code',
  '/objectId',
  '/set',
  '/since',
  '/until',
  '/preset',
  '/note',
  '/type',
  '/query/type',
  '/query/schemaVersion',
  '/query/reads',
  '/headers',
  '/appId',
  '/scopes',
  '/contacts',
  '/disabledReason',
  '/schemaVersions',
  '/snoozedUntil',
  '/endpointId',
  '/eventTypes',
  '/conditions',
  '/serverIds',
  '/statuses',
  '/allowedCidrs',
  '/header/Github-Public-Key-Signature',
]);

/** Operations with a body that must have exactly one of several fields, and at least one field inside it. */
const ONE_FIELD_OF = new Map([['forecastAccess', /^\/(key|grants|endpoint)(?=\/|$)/]]);

interface Problem {
  requestId?: unknown;
  errors?: { pointer: string }[];
}

/** Returns the laws that a response breaks, as sentences. */
export function findViolations(
  surface: Surface,
  operation: FuzzedOperation,
  draft: Draft,
  response: WireResponse,
): string[] {
  const { method } = draft.request;
  const isOwnMethod = method === operation.method || (method === 'HEAD' && operation.method === 'GET');
  const verdict = isOwnMethod ? predictValidity(surface, operation, draft) : 'unclear';
  const isTaken = response.status < 400;
  const broken = documentationLaws(surface, draft, response);
  if (response.status >= 500) broken.push('no request causes an internal error');
  if (isTaken && verdict === 'breaks') broken.push('a request that the contract refuses is not accepted');
  if (isTaken && !isOwnMethod && !hasMethod(surface, operation, method)) {
    broken.push('an undocumented method does not succeed');
  }
  if (response.status === 400 && verdict === 'fits' && !isBeyondSchema(surface, operation, response)) {
    broken.push('a request that fits the contract is not refused for its form');
  }
  const ids = response.headers.get('request-id') ?? [];
  if (ids.length !== 1 || !REQUEST_ID.test(ids[0] ?? '')) broken.push('each response has one Request-Id');
  if (!isTaken && response.body !== '' && problemOf(response)?.requestId !== ids[0]) {
    broken.push('a problem names its request');
  }
  return broken;
}

/** Status, media type, headers and body must be documented, also for problems. */
function documentationLaws(surface: Surface, { request }: Draft, { status, headers, body }: WireResponse): string[] {
  const values = [...headers].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  const { method, target: url } = request;
  return contractCheck(surface.listener).violations({ method, url, status, headers: Object.fromEntries(values), body });
}

function predictValidity(surface: Surface, operation: FuzzedOperation, { request, isPlain }: Draft): Validity {
  const { path, documentPath, method } = operation;
  // The plane's own listener serves the paths of the Console's contract without their prefix.
  const target = documentPath.slice(0, documentPath.length - path.length) + request.target;
  const verdict = surface.oracle.judge(documentPath, method, { ...request, target });
  return isPlain || verdict === 'breaks' ? verdict : 'unclear';
}

const hasMethod = (surface: Surface, { path }: FuzzedOperation, method: string): boolean =>
  surface.operations.some(
    (other) => other.path === path && (other.method === method || (other.method === 'GET' && method === 'HEAD')),
  );

function problemOf(response: WireResponse): Problem | undefined {
  try {
    return JSON.parse(response.body) as Problem; // the contract check validates its schema
  } catch {
    return undefined;
  }
}

function isBeyondSchema({ beyondSchema }: Surface, { id }: FuzzedOperation, response: WireResponse): boolean {
  const outer = ONE_FIELD_OF.get(id);
  const errors = problemOf(response)?.errors ?? [];
  return (
    errors.length > 0 &&
    errors.every(({ pointer }) => {
      const inner = outer === undefined ? pointer : pointer.replace(outer, '');
      if (outer !== undefined && inner === '') return true;
      return (
        beyondSchema.has(inner) ||
        BEYOND_SCHEMA.has(
          inner.replace(/^\/(headers|scopes|allowedCidrs|set|schemaVersions|conditions|serverIds|keyIds)\/.*/s, '/$1'),
        )
      );
    })
  );
}
