// Requests and live access in the form for members and for reviewers. A reviewer sees nothing else of an organisation.

import { AppId, OrganisationId, SCOPES, ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { Evidence, exampleEvidence, readStoredEvidence } from '../evidence/index.ts';
import {
  freezeSubmission,
  LIVE_ACCESS_STATUSES,
  LiveAccessRequestId,
  type LiveAccessRequestRow,
  type LiveAccessRow,
  REQUEST_STATES,
  requestContentFields,
  requestIdOf,
  type StepRow,
  version,
} from './live-access.ts';

const scopeList = (description: string) => Type.Array(ScopeSchema, { maxItems: SCOPES.length, description });
const serverCap = integer('Maximum number of servers on which the app may be installed.', 1, 1_000_000);
export const maxServers = nullable(serverCap);

export const LiveAccess = namedObject('LiveAccess', 'The access that is approved for an app in production.', {
  appId: { ...AppId, description: 'The sandbox app.' },
  productionAppId: { ...AppId, description: 'The production app that was created from the sandbox app.' },
  status: oneOf(
    LIVE_ACCESS_STATUSES,
    'Status of the app in production. `suspended` and `revoked` stop all calls and deliveries of the app there.',
  ),
  scopes: scopeList('Approved scopes. A key gives access only to scopes in this list.'),
  maxServers: {
    ...maxServers,
    description: 'Maximum number of servers on which the app may be installed. Null for no limit.',
  },
  reason: nullable(text('Reason for the suspension or revocation.', { maxLength: 2000 })),
  isConfirmed: Type.Boolean({
    description:
      'True if production has confirmed this state. The Console repeats its report until production confirms it.',
  }),
});

export function toLiveAccess(row: LiveAccessRow): Static<typeof LiveAccess> {
  return {
    appId: toId('app', row.app_id),
    productionAppId: toId('app', row.production_app_id),
    status: row.status,
    scopes: row.scopes,
    maxServers: row.max_servers,
    reason: row.reason,
    isConfirmed: row.confirmed_version >= row.version,
  };
}

const requestSummary = {
  id: LiveAccessRequestId,
  organisationId: OrganisationId,
  appId: { ...AppId, description: 'The sandbox app.' },
  appName: text('Name of the app when the request was drafted.', { maxLength: 100 }),
  state: oneOf(REQUEST_STATES, 'State of the request.'),
  version,
  scopes: requestContentFields.scopes,
  submittedAt: nullable(dateTime('Time of the last submission.')),
  submittedBy: nullable(text('Member who last submitted the request.', { maxLength: 320 })),
  decidedAt: nullable(dateTime('Time of the last decision by a reviewer.')),
  decisionReadAt: nullable(dateTime('Time at which a member marked the last decision as read. Null for unread.')),
  decisionReadBy: nullable(text('Member who marked the last decision as read.', { maxLength: 320 })),
  approvedScopes: nullable(scopeList('Approved scopes. Null before an approval.')),
  reason: nullable(
    text('Latest message of a reviewer: the requested changes, or the reason for a rejection.', { maxLength: 2000 }),
  ),
  createdBy: text('Member who drafted the request.', { maxLength: 320 }),
  createdAt: dateTime('Time at which the request was drafted.'),
};

export const LiveAccessRequest = namedObject('LiveAccessRequest', 'A request for live access.', requestSummary);

export function toRequest(row: LiveAccessRequestRow): Static<typeof LiveAccessRequest> {
  return {
    id: requestIdOf(row),
    organisationId: toId('org', row.organisation_id),
    appId: toId('app', row.app_id),
    appName: row.app_name,
    state: row.state,
    version: row.version,
    scopes: row.scopes,
    submittedAt: row.submitted_at?.toISOString() ?? null,
    submittedBy: row.submitted_by,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReadAt: row.decision_read_at?.toISOString() ?? null,
    decisionReadBy: row.decision_read_by,
    approvedScopes: row.approved_scopes,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

const FrozenSubmission = describedObject(
  'A submission. It never changes. Submitting the request again creates a new submission.',
  {
    document: text('The submission as canonical JSON: the content of the request, and the evidence.', {
      maxLength: 200_000,
    }),
    sha256: text('SHA-256 of the UTF-8 bytes of `document`, in hexadecimal.', { minLength: 64, maxLength: 64 }),
    evidence: Evidence,
  },
);

const HistoryStep = describedObject('A step in the history of a request, or of the resulting live access.', {
  at: dateTime('When.'),
  by: oneOf(['member', 'reviewer'], 'Side of the person who took the step.'),
  actor: text('Who.', { maxLength: 320 }),
  action: text('Action of the person.', { maxLength: 60 }),
  text: nullable(text('Message of the person.', { maxLength: 2000 })),
  scopes: scopeList('Scopes that the step concerns.'),
  sha256: nullable(text('SHA-256 of the submission, if the step has one.', { minLength: 64, maxLength: 64 })),
});

export const LiveAccessRequestDetail = namedObject(
  'LiveAccessRequestDetail',
  'A request for live access with its submission, its history and the resulting live access.',
  {
    ...requestSummary,
    contacts: requestContentFields.contacts,
    submission: nullable(FrozenSubmission),
    liveAccess: nullable(LiveAccess),
    history: Type.Array(HistoryStep, { maxItems: 200, description: 'Latest steps, oldest first.' }),
  },
);
export type LiveAccessRequestDetail = Static<typeof LiveAccessRequestDetail>;

export const LiveAccessReview = namedObject('LiveAccessReview', 'A request in the form for reviewers.', {
  request: LiveAccessRequestDetail,
  organisationName: text('Name of the organisation.', { maxLength: 100 }),
  isOwn: Type.Boolean({
    description:
      'True if the reviewer edited or submitted the request, or belongs to the organisation. Another reviewer has to decide then.',
  }),
});

function toFrozenSubmission({ document, document_hash }: LiveAccessRequestRow): Static<typeof FrozenSubmission> | null {
  if (document === null || document_hash === null) return null;
  return { document, sha256: document_hash, evidence: readStoredEvidence(JSON.parse(document).evidence) };
}

function toStep({ at, by, actor, action, detail }: StepRow): Static<typeof HistoryStep> {
  // The operations of this feature write these fields.
  const { text = null, scopes = [], sha256 = null } = detail as Partial<Static<typeof HistoryStep>>;
  return { at: at.toISOString(), by, actor, action, text, scopes, sha256 };
}

export function toDetail(
  row: LiveAccessRequestRow,
  access: LiveAccessRow | undefined,
  steps: readonly StepRow[],
): LiveAccessRequestDetail {
  return {
    ...toRequest(row),
    contacts: row.contacts,
    submission: toFrozenSubmission(row),
    liveAccess: access ? toLiveAccess(access) : null,
    history: steps.map(toStep),
  };
}

export const exampleLiveAccess: Static<typeof LiveAccess> = {
  appId: exampleEvidence.appId,
  productionAppId: 'app_01j9z3v8k6e5t8m2n4p6q8r0sb',
  status: 'active',
  scopes: ['servers:read'],
  maxServers: 25,
  reason: null,
  isConfirmed: true,
};

export const exampleRequest: Static<typeof LiveAccessRequest> = {
  id: 'lar_01j9z3v8k6e5t8m2n4p6q8r0s9',
  organisationId: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6',
  appId: exampleEvidence.appId,
  appName: 'Ticket bridge',
  state: 'submitted',
  version: 4,
  scopes: [
    {
      scope: 'servers:read',
      purpose: 'Shows our customers on which of their servers the bridge is installed.',
      dataUse: 'Names of servers are kept for as long as the bridge is installed, in Frankfurt.',
    },
  ],
  submittedAt: '2026-11-02T10:20:00.000Z',
  submittedBy: 'imke@example.org',
  decidedAt: null,
  decisionReadAt: null,
  decisionReadBy: null,
  approvedScopes: null,
  reason: null,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};

const exampleContacts = [{ kind: 'security' as const, name: 'Imke', email: 'imke@example.org' }];
export const exampleContents = { scopes: exampleRequest.scopes, contacts: exampleContacts };
const exampleSubmission = freezeSubmission({
  requestId: exampleRequest.id,
  organisationId: exampleRequest.organisationId,
  scopes: exampleRequest.scopes,
  contacts: exampleContacts,
  submittedAt: '2026-11-02T10:20:00.000Z',
  submittedBy: 'imke@example.org',
  evidence: exampleEvidence,
});

export const exampleDetail: LiveAccessRequestDetail = {
  ...exampleRequest,
  contacts: exampleContacts,
  submission: {
    document: exampleSubmission.document,
    sha256: exampleSubmission.hash.toString('hex'),
    evidence: exampleEvidence,
  },
  liveAccess: null,
  history: [
    {
      at: '2026-11-02T10:20:00.000Z',
      by: 'member',
      actor: 'imke@example.org',
      action: 'submit',
      text: null,
      scopes: ['servers:read'],
      sha256: exampleSubmission.hash.toString('hex'),
    },
  ],
};
