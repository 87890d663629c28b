import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { Evidence } from '../evidence/index.ts';
import { findLiveAccess } from './access-store.ts';
import { askSandbox } from './ask-sandbox.ts';
import { detailOf } from './detail.ts';
import { freezeSubmission, LiveAccessStep, requestIdOf, requestParams, validateSubmission } from './live-access.ts';
import { exampleDetail, LiveAccessRequestDetail } from './live-access-views.ts';
import { requireRequest, requireStep } from './require-step.ts';
import { freezeRequest, insertStep } from './store.ts';

export const submitLiveAccessRequest = operation({
  id: 'submitLiveAccessRequest',
  route: 'POST /api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}/submit',
  tag: 'Live access',
  summary: 'Submit a request for live access',
  description:
    'Gathers the evidence from the sandbox, and freezes it together with the content of the request as one canonical JSON text. Reviewers receive this text and its SHA-256. Missing evidence does not prevent the submission, but the reviewer sees it. After the submission you can edit the request only if a reviewer requests changes.',
  access: allowMemberChange('live_access.request'),
  params: requestParams,
  body: LiveAccessStep,
  examples: { asRead: { version: 3 } },
  replies: ok('The submitted request.', LiveAccessRequestDetail, { submitted: exampleDetail }),
  problems: ['conflict'],
  async run({ services, actor, tx, runAgain, afterCommit }, { ids, params, body }) {
    const { organisationId } = actor;
    const row = await requireRequest(tx, organisationId, ids.liveAccessRequestId);
    requireStep(row, 'submit', body.version);
    const access = await findLiveAccess(tx, organisationId, row.app_id);
    const errors = validateSubmission(row, access?.scopes ?? []);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    // Outside of a transaction, because the sandbox may take seconds to respond.
    return afterCommit(async () => {
      const appId = toId('app', row.app_id);
      const evidence = await askSandbox<Evidence>(services, actor, `apps/${appId}/evidence`);
      if (!evidence) throw problem('conflict', { detail: 'The app no longer exists.' });
      return runAgain(async ({ tx: later, audit }) => {
        const now = await requireRequest(later, organisationId, ids.liveAccessRequestId);
        requireStep(now, 'submit', body.version);
        const submission = {
          requestId: requestIdOf(now),
          organisationId: toId('org', organisationId),
          appId,
          scopes: now.scopes,
          contacts: now.contacts,
          submittedAt: new Date(nowMs()).toISOString(),
          submittedBy: actor.name,
          evidence,
        };
        const frozen = { ...freezeSubmission(submission), ...submission };
        const submitted = await freezeRequest(later, now.request_id, frozen);
        const detail = { scopes: now.scopes.map(({ scope }) => scope), sha256: frozen.hash.toString('hex') };
        await insertStep(later, now.request_id, { by: 'member', actor: actor.name, action: 'submit', detail });
        audit('live_access.submit', params.liveAccessRequestId, detail);
        return { status: 200, body: await detailOf(later, submitted) };
      });
    });
  },
});
