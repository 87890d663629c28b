// Requests and live access in the form for members and for reviewers. A reviewer sees nothing else of an organisation.

import { AppId, OrganisationId, ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { Evidence, exampleEvidence } from '../evidence/index.ts';
import {
  contents,
  freeze,
  LiveAccessRequestId,
  type LiveAccessRow,
  type RequestRow,
  requestIdOf,
  STANDINGS,
  STATES,
  type StepRow,
  version,
} from './live-access.ts';

const scopeList = (description: string) => Type.Array(ScopeSchema, { maxItems: 6, description });
const cap = Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'On how many servers it may be installed.' });
export const maxServers = nullable(cap);

export const LiveAccess = named(
  'LiveAccess',
  closed(
    {
      appId: { ...AppId, description: 'The app, in the sandbox.' },
      productionAppId: { ...AppId, description: 'The app in production that was made of it.' },
      standing: oneOf(STANDINGS, 'Suspended and revoked stop everything of the app in production.'),
      scopes: scopeList('What is approved, whatever a key of the app holds.'),
      maxServers: { ...maxServers, description: 'On how many servers it may be installed; null for any number.' },
      reason: nullable(text('Why it is suspended or was revoked.', { maxLength: 2000 })),
      isConfirmed: Type.Boolean({
        description: 'Whether production has confirmed all of this. It is told again until it has.',
      }),
    },
    { description: 'What an app may do in production.' },
  ),
);

export function toLiveAccess(row: LiveAccessRow): Static<typeof LiveAccess> {
  return {
    appId: toId('app', row.app_id),
    productionAppId: toId('app', row.production_app_id),
    standing: row.standing,
    scopes: row.scopes,
    maxServers: row.max_servers,
    reason: row.reason,
    isConfirmed: row.confirmed_version >= row.version,
  };
}

const summary = {
  id: LiveAccessRequestId,
  organisationId: OrganisationId,
  appId: { ...AppId, description: 'The app, in the sandbox.' },
  appName: text('Its name when the request was drafted.', { maxLength: 100 }),
  state: oneOf(STATES, 'Where it stands.'),
  version,
  scopes: contents.scopes,
  submittedAt: nullable(moment('When it was last submitted.')),
  submittedBy: nullable(text('By whom.', { maxLength: 320 })),
  decidedAt: nullable(moment('When a reviewer last decided about it.')),
  approvedScopes: nullable(scopeList('Those that were approved; null before.')),
  reason: nullable(text('What the reviewer said last: which changes, or why it was rejected.', { maxLength: 2000 })),
  createdBy: text('Who drafted it.', { maxLength: 320 }),
  createdAt: moment('When it was drafted.'),
};

export const LiveAccessRequest = named(
  'LiveAccessRequest',
  closed(summary, { description: 'A request for live access.' }),
);

export function toRequest(row: RequestRow): Static<typeof LiveAccessRequest> {
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
    approvedScopes: row.approved_scopes,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

const Frozen = closed(
  {
    document: text('What was submitted, as canonical JSON: what is asked for, and the evidence.', {
      maxLength: 200_000,
    }),
    sha256: text('SHA-256 of the UTF-8 bytes of `document`, in hexadecimal.', { minLength: 64, maxLength: 64 }),
    evidence: Evidence,
  },
  { description: 'What was submitted. It never changes; submitting again freezes anew.' },
);

const HistoryStep = closed(
  {
    at: moment('When.'),
    by: oneOf(['member', 'reviewer'], 'On whose side.'),
    actor: text('Who.', { maxLength: 320 }),
    action: text('What they did.', { maxLength: 60 }),
    text: nullable(text('What they said.', { maxLength: 2000 })),
    scopes: scopeList('The scopes that it was about.'),
    sha256: nullable(text('Of what was submitted, where something was.', { minLength: 64, maxLength: 64 })),
  },
  { description: 'A step of a request, or of the live access that came of it.' },
);

export const LiveAccessRequestDetail = named(
  'LiveAccessRequestDetail',
  closed(
    {
      ...summary,
      contacts: contents.contacts,
      submission: nullable(Frozen),
      liveAccess: nullable(LiveAccess),
      history: Type.Array(HistoryStep, { maxItems: 200, description: 'The latest steps, oldest first.' }),
    },
    { description: 'A request for live access, what was submitted, and what has come of it.' },
  ),
);
export type LiveAccessRequestDetail = Static<typeof LiveAccessRequestDetail>;

export const LiveAccessReview = named(
  'LiveAccessReview',
  closed(
    {
      request: LiveAccessRequestDetail,
      organisationName: text("The organisation's name.", { maxLength: 100 }),
      isOwn: Type.Boolean({
        description:
          'Whether the reviewer had a hand in it or belongs to the organisation: somebody else has to decide.',
      }),
    },
    { description: 'A request as a reviewer sees it.' },
  ),
);

function frozenOf({ document, document_hash }: RequestRow): Static<typeof Frozen> | null {
  if (document === null || document_hash === null) return null;
  return { document, sha256: document_hash, evidence: JSON.parse(document).evidence };
}

function toStep({ at, by, actor, action, detail }: StepRow): Static<typeof HistoryStep> {
  // The operations of this feature write these fields.
  const { text: said = null, scopes = [], sha256 = null } = detail as Partial<Static<typeof HistoryStep>>;
  return { at: at.toISOString(), by, actor, action, text: said, scopes, sha256 };
}

export function toDetail(
  row: RequestRow,
  access: LiveAccessRow | undefined,
  steps: readonly StepRow[],
): LiveAccessRequestDetail {
  return {
    ...toRequest(row),
    contacts: row.contacts,
    submission: frozenOf(row),
    liveAccess: access ? toLiveAccess(access) : null,
    history: steps.map(toStep),
  };
}

export const exampleLiveAccess: Static<typeof LiveAccess> = {
  appId: exampleEvidence.appId,
  productionAppId: 'app_01j9z3v8k6e5t8m2n4p6q8r0sb',
  standing: 'active',
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
  approvedScopes: null,
  reason: null,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};

const exampleContacts = [{ kind: 'security' as const, name: 'Imke', email: 'imke@example.org' }];
export const exampleContents = { scopes: exampleRequest.scopes, contacts: exampleContacts };
const frozen = freeze({
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
  submission: { document: frozen.document, sha256: frozen.hash.toString('hex'), evidence: exampleEvidence },
  liveAccess: null,
  history: [
    {
      at: '2026-11-02T10:20:00.000Z',
      by: 'member',
      actor: 'imke@example.org',
      action: 'submit',
      text: null,
      scopes: ['servers:read'],
      sha256: frozen.hash.toString('hex'),
    },
  ],
};
