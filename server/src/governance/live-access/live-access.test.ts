// Requests for live access: the order of their steps, the frozen submission that a reviewer sees, and the independence
// of the reviewer.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import {
  createApplicant,
  type Detail,
  type LiveAccessApplicant,
  makeReviewer,
  type Review,
  type Reviewer,
  requestedScope,
} from '../../../test/live-access.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';

let site: TestConsole;
let reviewer: Reviewer;
beforeAll(async () => {
  site = await startConsole('local');
  reviewer = await makeReviewer(site);
});
afterAll(() => site.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await site.database.superuser.query(text, values)).rows;
const codeOf = ({ status, body }: { status: number; body: object }) => [status, 'code' in body ? body.code : undefined];
const accessOf = ({ organisation }: LiveAccessApplicant) =>
  query<{ scopes: string[]; max_servers: number | null; standing: string }>(
    'select scopes, max_servers, standing from live_access where organisation_id = $1',
    [uuidOf(organisation.id)],
  );

test('a request is drafted, returned, submitted again and partly approved; both sides see each step, and both audit logs contain it', async () => {
  const asking = await createApplicant(site);
  const first = await asking.submitted(['servers:read', 'tickets:create']);
  expect([first.state, first.submission?.evidence.items.length]).toEqual(['submitted', 5]);
  const queue = await reviewer.visitor.call<{ data: Detail[] }>('GET', '/api/operator/live-access-requests');
  expect(queue.body.data.map(({ id }) => id)).toContain(first.id);

  const sentBack = await reviewer.decide(first, 'request-changes', { version: first.version, reason: 'For how long?' });
  expect(sentBack.body.request).toMatchObject({ state: 'changes_requested', reason: 'For how long?' });
  const edited = await asking.edit(await asking.read(first), ['servers:read', 'events:read']);
  const again = (await asking.step(edited.body, 'submit')).body;
  expect(again.submission?.sha256).not.toBe(first.submission?.sha256);
  const decided = await reviewer.approve(again, ['servers:read'], 25);
  expect(decided.body.request).toMatchObject({
    state: 'approved',
    approvedScopes: ['servers:read'],
    liveAccess: { status: 'active', scopes: ['servers:read'], maxServers: 25, isConfirmed: false },
  });
  const steps = (await asking.read(first)).history;
  expect(steps.map(({ by, action, text }) => [by, action, text])).toEqual([
    ['member', 'draft', null],
    ['member', 'edit', null],
    ['member', 'submit', null],
    ['reviewer', 'request_changes', 'For how long?'],
    ['member', 'edit', null],
    ['member', 'submit', null],
    ['reviewer', 'approve', null],
  ]);
  const log = await query<{ action: string }>(
    "select action from audit_entries where organisation_id = $1 and action like 'live_access.%' order by sequence",
    [uuidOf(asking.organisation.id)],
  );
  expect(log.map(({ action }) => action.replace('live_access.', ''))).toEqual(steps.map(({ action }) => action));
  const kept = await query<{ action: string }>('select action from operator_actions order by done_at');
  expect(kept.map(({ action }) => action)).toEqual(['live_access.request_changes', 'live_access.approve']);
});

test('a submission is one text with a SHA-256 hash, and contains the requested scopes and the evidence', async () => {
  const asking = await createApplicant(site);
  const { id, submission } = await asking.submitted(['servers:read']);
  const document = submission?.document ?? '';
  expect(createHash('sha256').update(document).digest('hex')).toBe(submission?.sha256);
  const { evidence, ...request } = JSON.parse(document);
  expect(request).toMatchObject({ requestId: id, appId: asking.appId, scopes: [requestedScope('servers:read')] });
  expect(evidence).toEqual(submission?.evidence);
  expect(document).toBe(JSON.stringify(JSON.parse(document))); // canonical JSON: no blanks, and one possible spelling
  const seen = await reviewer.visitor.call<Review>('GET', `/api/operator/live-access-requests/${id}`);
  expect(seen.body.request.submission).toEqual(submission);
  const exported = await asking.owner.call('POST', `${asking.organisation.base}/export`);
  const lines = exported.text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(lines.filter(({ kind }) => kind === 'live_access_request')).toMatchObject([{ id, submission }]);
});

test('neither a member nor a database client can change a submitted request, and its hash matches only its text', async () => {
  const asking = await createApplicant(site);
  const submitted = await asking.submitted(['servers:read']);
  const refused = await asking.edit(submitted, ['servers:read', 'tickets:create']);
  expect(codeOf(refused)).toEqual([409, 'conflict']);
  const change = (set: string) =>
    query(`update live_requests set ${set} where request_id = $1`, [uuidOf(submitted.id)]);
  await expect(change("scopes = '[]'")).rejects.toThrow('frozen');
  await expect(change("document = '{}', document_hash = sha256('{}')")).rejects.toThrow('frozen');
  await expect(change("state = 'changes_requested', document = '{}'")).rejects.toThrow('frozen');
  await expect(change("hands = '{}'")).rejects.toThrow('hand');
  await reviewer.decide(submitted, 'request-changes', { version: submitted.version, reason: 'More.' });
  await expect(change("document = '{}'")).rejects.toThrow('hash_of_the_document');
  expect((await asking.read(submitted)).submission).toEqual(submitted.submission);
});

test('an approval of an older version is refused: a request that was widened meanwhile is not approved', async () => {
  const asking = await createApplicant(site);
  const first = await asking.submitted(['servers:read']);
  await reviewer.decide(first, 'request-changes', { version: first.version, reason: 'More.' });
  const widened = await asking.edit(await asking.read(first), ['servers:read', 'tickets:create']);
  // A widened request cannot be approved before it is submitted again. Until then a reviewer sees the submitted
  // version.
  const path = `/api/operator/live-access-requests/${first.id}`;
  const seen = await reviewer.visitor.call<Review>('GET', path);
  expect(seen.body.request.scopes).toEqual([requestedScope('servers:read')]);
  expect(codeOf(await reviewer.approve(widened.body, ['tickets:create']))).toEqual([409, 'conflict']);
  const again = await asking.step(widened.body, 'submit');
  expect(codeOf(await reviewer.approve(first, ['servers:read']))).toEqual([409, 'conflict']);
  const unasked = await reviewer.approve(again.body, ['servers:read', 'workflows:run']);
  expect(codeOf(unasked)).toEqual([400, 'invalid_request']);
  expect(await accessOf(asking)).toEqual([]);
});

describe('independence of reviewers', () => {
  test.each([
    'approve',
    'reject',
    'request-changes',
  ] as const)('a member of the requesting organisation may not %s as a reviewer', async (decision) => {
    const asking = await createApplicant(site);
    const colleague = await makeReviewer(site, await asking.organisation.join('viewer'));
    const submitted = await asking.submitted(['servers:read']);
    const { version } = submitted;
    const body =
      decision === 'approve' ? { version, scopes: ['servers:read'], maxServers: null } : { version, reason: 'x' };
    expect(codeOf(await colleague.decide(submitted, decision, body))).toEqual([403, 'reviewer_not_independent']);
    const seen = await colleague.visitor.call<Review>('GET', `/api/operator/live-access-requests/${submitted.id}`);
    expect(seen.body.isOwn).toBe(true);
    expect(await accessOf(asking)).toEqual([]);
  });

  test('a reviewer who was a member at the submission, or edited the draft, stays excluded after leaving', async () => {
    const asking = await createApplicant(site);
    const editor = await makeReviewer(site, await asking.organisation.join('admin'));
    const viewer = await makeReviewer(site, await asking.organisation.join('viewer'));
    const edited = await asking.edit(await asking.draft(), ['servers:read'], editor.visitor);
    const leave = (who: Reviewer) => who.visitor.call('POST', `${asking.organisation.base}/leave`, { keys: 'keep' });
    expect((await leave(editor)).status).toBe(200);
    const submitted = (await asking.step(edited.body, 'submit')).body;
    expect((await leave(viewer)).status).toBe(200);
    for (const who of [editor, viewer]) {
      expect(codeOf(await who.approve(submitted, ['servers:read']))).toEqual([403, 'reviewer_not_independent']);
    }
    expect((await reviewer.approve(submitted, ['servers:read'])).status).toBe(200);
  });

  test('a reviewer who joins after the approval may suspend and not resume', async () => {
    const asking = await createApplicant(site);
    const submitted = await asking.submitted(['servers:read']);
    await reviewer.approve(submitted, ['servers:read']);
    const joined = await makeReviewer(site, await asking.organisation.join('viewer'));
    expect(
      (await joined.decide(submitted, 'suspend', { reason: 'Every reviewer may suspend live access.' })).status,
    ).toBe(200);
    expect(codeOf(await joined.decide(submitted, 'resume'))).toEqual([403, 'reviewer_not_independent']);
  });
});

test('one of several concurrent approvals succeeds, and none after a withdrawal', async () => {
  const asking = await createApplicant(site);
  const second = await makeReviewer(site);
  const submitted = await asking.submitted(['servers:read', 'tickets:create']);
  const answers = await Promise.all([
    reviewer.approve(submitted, ['servers:read']),
    second.approve(submitted, ['tickets:create']),
    reviewer.approve(submitted, ['servers:read']),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const [access, ...others] = await accessOf(asking);
  expect([access?.scopes.length, others]).toEqual([1, []]);

  const other = await createApplicant(site);
  const open = await other.submitted(['servers:read']);
  const [withdrawn, approved] = await Promise.all([
    other.step(open, 'withdraw'),
    reviewer.approve(open, ['servers:read']),
  ]);
  expect([withdrawn.status, approved.status].sort()).toEqual([200, 409]);
  expect((await accessOf(other)).length).toBe(approved.status === 200 ? 1 : 0);
});

test('another request adds only its own scopes, and a revocation removes only the scopes that it names', async () => {
  const asking = await createApplicant(site);
  const first = await asking.submitted(['servers:read', 'events:read']);
  await reviewer.approve(first, ['servers:read', 'events:read'], 10);
  const repeated = await asking.edit(await asking.draft(), ['servers:read']);
  const refused = await asking.step(repeated.body, 'submit');
  expect(refused.body).toMatchObject({ errors: [{ pointer: '/scopes/0/scope', detail: 'is already approved' }] });
  const more = await asking.edit(repeated.body, ['tickets:create']);
  expect((await asking.step(more.body, 'submit')).status).toBe(200);
  expect(await accessOf(asking)).toMatchObject([{ scopes: ['servers:read', 'events:read'], max_servers: 10 }]);
  await reviewer.approve(await asking.read(more.body), ['tickets:create'], 20);
  const all = ['servers:read', 'events:read', 'tickets:create'];
  expect(await accessOf(asking)).toEqual([{ scopes: all, max_servers: 20, standing: 'active' }]);

  await reviewer.decide(first, 'revoke', { reason: 'Not used.', scopes: ['events:read'] });
  expect(await accessOf(asking)).toMatchObject([{ scopes: ['servers:read', 'tickets:create'], standing: 'active' }]);
  expect((await reviewer.decide(first, 'revoke', { reason: 'All.' })).body.request.liveAccess?.status).toBe('revoked');
  expect((await reviewer.decide(first, 'resume')).status).toBe(409);
});

test('each decision is added to the mail and the messages of the organisation with its reason, its scopes and a link to the request', async () => {
  const asking = await createApplicant(site);
  const alerts = { kind: 'webhook', name: 'Alerts', url: 'https://alerts.example.org/slipway' };
  const destinations = `${asking.organisation.base}/notice-destinations`;
  expect((await asking.owner.call('POST', destinations, alerts)).status).toBe(201);
  const first = await asking.submitted(['servers:read', 'tickets:create']);
  await reviewer.decide(first, 'request-changes', { version: first.version, reason: 'For how long?' });
  const again = (await asking.step((await asking.edit(await asking.read(first), ['servers:read'])).body, 'submit'))
    .body;
  await reviewer.approve(again, ['servers:read'], 25);
  const mails = await query<{ waiting: { subject: string; text: string }[] }>(
    'select waiting from notice_mails where organisation_id = $1',
    [uuidOf(asking.organisation.id)],
  );
  expect(mails).toHaveLength(1);
  const [changes, approval] = mails[0]?.waiting ?? [];
  expect([changes?.subject, approval?.subject].map((one) => one?.replace(/".*"/, '…'))).toEqual([
    'Live access of the app … needs changes',
    'Live access of the app … was approved',
  ]);
  expect(changes?.text).toContain('Reason: For how long?');
  expect(approval?.text).toContain('Scopes: servers:read');
  const link = /http:\/\/localhost:7000\/sandbox\/org_\w+\/apps\/app_\w+\/live-access$/;
  expect(approval?.text).toMatch(link);
  const messages = await query<{ kind: string; environment: string; waiting: { subject: string; link: string }[] }>(
    `select m.kind, environment, waiting from destination_messages m join notice_destinations using (destination_id)
     where organisation_id = $1`,
    [uuidOf(asking.organisation.id)],
  );
  expect(messages).toMatchObject([{ kind: 'live_access_decided', environment: 'production' }]);
  expect(messages[0]?.waiting.map(({ subject }) => subject)).toEqual([changes?.subject, approval?.subject]);
  for (const message of messages[0]?.waiting ?? []) expect(message.link).toMatch(link);
});
