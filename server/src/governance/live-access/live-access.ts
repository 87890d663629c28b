// A request for live access: for one app of the sandbox, with a purpose per scope. The state machine is one table. The
// result of approved requests is the app's live access. Pure.
import { createHash } from 'node:crypto';
import { AppId, OrganisationId, SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  displayName,
  idSchema,
  integer,
  namedObject,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { canonicalJson } from '../../kit/text/json.ts';
import type { Evidence } from '../evidence/index.ts';

export const LiveAccessRequestId = idSchema('lar', 'Identifier of the request.');
export const requestParams = strictObject({ organisationId: OrganisationId, liveAccessRequestId: LiveAccessRequestId });
export const reviewParams = strictObject({ liveAccessRequestId: LiveAccessRequestId });

export const REQUEST_STATES = ['draft', 'submitted', 'changes_requested', 'approved', 'rejected', 'withdrawn'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];
export type RequestStep = 'edit' | 'submit' | 'withdraw' | 'request_changes' | 'approve' | 'reject';

/** The actor of each step, the states in which it is allowed, and the state to which it leads. */
const REQUEST_STEPS: Readonly<
  Record<RequestStep, { by: 'member' | 'reviewer'; from: readonly RequestState[]; to: RequestState | 'same' }>
> = {
  edit: { by: 'member', from: ['draft', 'changes_requested'], to: 'same' },
  submit: { by: 'member', from: ['draft', 'changes_requested'], to: 'submitted' },
  withdraw: { by: 'member', from: ['draft', 'submitted', 'changes_requested'], to: 'withdrawn' },
  request_changes: { by: 'reviewer', from: ['submitted'], to: 'changes_requested' },
  approve: { by: 'reviewer', from: ['submitted'], to: 'approved' },
  reject: { by: 'reviewer', from: ['submitted'], to: 'rejected' },
};

export const isStepAllowed = (state: RequestState, step: RequestStep): boolean =>
  REQUEST_STEPS[step].from.includes(state);

/** Returns the state after a step that the state allows. */
export function nextState(state: RequestState, step: RequestStep): RequestState {
  const { to } = REQUEST_STEPS[step];
  return to === 'same' ? state : to;
}

/** The status of an app in production. Revoked is not final: another request may be approved. */
export const LIVE_ACCESS_STATUSES = ['active', 'suspended', 'revoked'] as const;
export type LiveAccessStatus = (typeof LIVE_ACCESS_STATUSES)[number];

const RequestedScope = describedObject('A requested scope.', {
  scope: ScopeSchema,
  purpose: text('Purpose for which the app needs the scope.', { maxLength: 2000 }),
  dataUse: text('Data that the app reads or writes with the scope, where the app stores them, and for how long.', {
    maxLength: 2000,
  }),
});

const Contact = describedObject('A person or team that is responsible for the app.', {
  kind: oneOf(['technical', 'security', 'privacy'], 'Responsibility of the contact.'),
  name: displayName('Name of a person or a team.'),
  email: text('E-mail address of the contact.', {
    minLength: 3,
    maxLength: 320,
    pattern: '^[^@\\s]+@[^@\\s]+$',
    examples: ['imke@example.org'],
  }),
});

export const requestContentFields = {
  scopes: Type.Array(RequestedScope, { maxItems: SCOPES.length, description: 'Requested scopes, each at most once.' }),
  contacts: Type.Array(Contact, { maxItems: 6, description: 'Contacts for the app in production.' }),
};
export const RequestContents = strictObject(requestContentFields);
export type RequestContents = Static<typeof RequestContents>;

export const version = integer('Version of the request. Each change increments it.', 1);

export const LiveAccessRequestInput = namedObject('LiveAccessRequestInput', 'The app for which to draft a request.', {
  appId: { ...AppId, description: 'The sandbox app.' },
});

export const LiveAccessRequestChange = namedObject(
  'LiveAccessRequestChange',
  'The complete new content of the request. `version` is the version that you read.',
  { version, ...requestContentFields },
);

/** A step with the version that its actor has read. A newer version is refused. */
export const LiveAccessStep = namedObject(
  'LiveAccessStep',
  'The version of the request that you read. If the request has changed since, it is refused.',
  { version },
);

export const LiveAccessDecisionRead = namedObject('LiveAccessDecisionRead', 'The decision that you read.', {
  decidedAt: dateTime('`decidedAt` of the request that you read. If a later decision exists, the call is refused.'),
});

/** Returns an error for each scope that is requested twice. */
export function validateContents({ scopes }: RequestContents): InvalidPart[] {
  return scopes.flatMap(({ scope }, at) =>
    scopes.findIndex((one) => one.scope === scope) < at
      ? [{ pointer: `/scopes/${at}/scope`, detail: 'is requested twice' }]
      : [],
  );
}

/** Returns errors for the missing parts of a draft. Scopes that are approved already must not be requested again. */
export function validateSubmission({ scopes, contacts }: RequestContents, approved: readonly Scope[]): InvalidPart[] {
  const errors: InvalidPart[] = [];
  if (scopes.length === 0) errors.push({ pointer: '/scopes', detail: 'must contain at least one scope' });
  scopes.forEach(({ scope, purpose, dataUse }, at) => {
    if (purpose.trim() === '')
      errors.push({ pointer: `/scopes/${at}/purpose`, detail: 'must state the purpose of the scope' });
    if (dataUse.trim() === '')
      errors.push({ pointer: `/scopes/${at}/dataUse`, detail: 'must state how the app uses and stores the data' });
    if (approved.includes(scope)) errors.push({ pointer: `/scopes/${at}/scope`, detail: 'is already approved' });
  });
  const hasSecurity = contacts.some(({ kind }) => kind === 'security');
  if (!hasSecurity) errors.push({ pointer: '/contacts', detail: 'must contain a contact of kind `security`' });
  return errors;
}

interface Submission extends RequestContents {
  requestId: string;
  organisationId: string;
  submittedAt: string;
  submittedBy: string;
  evidence: Evidence;
}

/** Returns the submission as one immutable text, with its SHA-256 hash. */
export function freezeSubmission(submission: Submission): { document: string; hash: Buffer } {
  const document = canonicalJson({ format: 'slipway-live-access-1', ...submission });
  return { document, hash: createHash('sha256').update(document).digest() };
}

/** Returns scopes in their canonical order. */
export const sortScopes = (scopes: Iterable<Scope>): Scope[] => {
  const included = new Set(scopes);
  return SCOPES.filter((scope) => included.has(scope));
};

export interface LiveAccessRequestRow {
  request_id: string;
  organisation_id: string;
  app_id: string;
  app_name: string;
  state: RequestState;
  version: number;
  scopes: RequestContents['scopes'];
  contacts: RequestContents['contacts'];
  /** The ids of people who edited or submitted the request, or were members at its submission. */
  hands: string[];
  document: string | null;
  document_hash: string | null;
  submitted_at: Date | null;
  submitted_by: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  decision_read_at: Date | null;
  decision_read_by: string | null;
  approved_scopes: Scope[] | null;
  reason: string | null;
  created_by: string;
  created_at: Date;
}

export interface LiveAccessRow {
  organisation_id: string;
  app_id: string;
  production_app_id: string;
  app_name: string;
  scopes: Scope[];
  max_servers: number | null;
  status: LiveAccessStatus;
  reason: string | null;
  version: number;
  confirmed_version: number;
}

export interface StepRow {
  at: Date;
  by: 'member' | 'reviewer';
  actor: string;
  action: string;
  detail: Record<string, unknown>;
}

export const requestIdOf = (row: Pick<LiveAccessRequestRow, 'request_id'>): string => toId('lar', row.request_id);
