// The steps of requests for live access: their order, the required content of a submission, and the permitted callers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { createApplicant, type Detail, makeReviewer, type Reviewer } from '../../../test/live-access.fixture.ts';
import type { JoinedMember } from '../../../test/organisation.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

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

describe('steps of a request by its state', () => {
  const LEGAL: Record<string, readonly string[]> = {
    edit: ['draft', 'changes_requested'],
    submit: ['draft', 'changes_requested'],
    withdraw: ['draft', 'submitted', 'changes_requested'],
    'request-changes': ['submitted'],
    approve: ['submitted'],
    reject: ['submitted'],
  };
  const ALL = ['draft', 'submitted', 'changes_requested', 'approved', 'rejected', 'withdrawn'];

  test.each(ALL)('a request in the state %s accepts exactly the steps that the state allows', async (state) => {
    const asking = await createApplicant(site);
    const template = await asking.submitted(['servers:read']);
    await asking.step(template, 'withdraw');
    for (const [step, legal] of Object.entries(LEGAL)) {
      const id = newUuid();
      await query(
        `insert into live_requests (request_id, organisation_id, app_id, app_name, state, scopes, contacts, hands, document,
           document_hash, approved_scopes, created_by)
         select $1, organisation_id, app_id, app_name, $2::text, scopes, contacts, hands, document, document_hash,
           case when $2::text = 'approved' then array['servers:read'] end, created_by
         from live_requests where request_id = $3`,
        [id, state, uuidOf(template.id)],
      );
      const of = { ...template, id: toId('lar', id), version: 1 };
      const reason = { version: 1, reason: 'Because.' };
      const take: Record<string, () => Promise<{ status: number }>> = {
        edit: () => asking.edit(of, ['servers:read']),
        submit: () => asking.step(of, 'submit'),
        withdraw: () => asking.step(of, 'withdraw'),
        'request-changes': () => reviewer.decide(of, 'request-changes', reason),
        approve: () => reviewer.approve(of, ['servers:read']),
        reject: () => reviewer.decide(of, 'reject', reason),
      };
      const { status } = (await take[step]?.()) ?? { status: 0 };
      expect([step, state, status]).toEqual([step, state, legal.includes(state) ? 200 : 409]);
      await query('delete from live_requests where request_id = $1', [id]);
      await query('delete from live_access');
    }
  });
});

test('a submission names its missing parts, an app has one open request, and the app must exist', async () => {
  const asking = await createApplicant(site);
  const draft = await asking.draft();
  const { base, owner, appId } = asking;
  const empty = await asking.step(draft, 'submit');
  expect(empty.body).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/scopes' }, { pointer: '/contacts' }],
  });
  const blank = [{ scope: 'servers:read', purpose: ' ', dataUse: '' }];
  const edited = await owner.call<Detail>('PUT', `${base}/${draft.id}`, { version: 1, scopes: blank, contacts: [] });
  const pointers = (await asking.step(edited.body, 'submit')).body;
  expect(pointers).toMatchObject({
    errors: [{ pointer: '/scopes/0/purpose' }, { pointer: '/scopes/0/dataUse' }, { pointer: '/contacts' }],
  });
  const twice = [...blank, ...blank];
  const body = { version: edited.body.version, scopes: twice, contacts: [] };
  expect((await owner.call('PUT', `${base}/${draft.id}`, body)).status).toBe(400);
  expect(codeOf(await asking.edit(draft, ['servers:read']))).toEqual([409, 'conflict']); // an older version
  expect(codeOf(await owner.call('POST', base, { appId }))).toEqual([409, 'conflict']);
  expect((await owner.call('POST', base, { appId: toId('app', newUuid()) })).status).toBe(400);
  const foreign = await createApplicant(site);
  expect((await owner.call('POST', base, { appId: foreign.appId })).status).toBe(400);
});

test('only owners and admins can request live access, access tokens can only read, and other organisations’ requests are not found', async () => {
  const asking = await createApplicant(site);
  const draft = await asking.draft();
  const developer = await asking.organisation.join('developer');
  const { owner, base } = asking;
  const made = await owner.call<{ token: string }>('POST', `${asking.organisation.base}/access-tokens`, {
    name: 'A script',
    scope: 'write',
    expiresInDays: 1,
  });
  const headers = { authorization: `Bearer ${made.body.token}` };
  const edited = (await asking.edit(draft, ['servers:read'])).body;
  const script = site.newVisitor();
  const body = { version: edited.version };
  expect((await script.call('GET', `${base}/${draft.id}`, undefined, headers)).status).toBe(200);
  expect(codeOf(await script.call('POST', `${base}/${draft.id}/submit`, body, headers))).toEqual([
    403,
    'access_token_not_allowed',
  ]);
  expect(codeOf(await asking.step(edited, 'submit', developer.visitor))).toEqual([403, 'role_not_allowed']);
  const other = await createApplicant(site);
  expect((await other.owner.call('GET', `${other.base}/${draft.id}`)).status).toBe(404);
  // A reviewer sees the request only after its submission, and nothing else of the organisation.
  const path = `/api/operator/live-access-requests/${draft.id}`;
  expect((await reviewer.visitor.call('GET', path)).status).toBe(404);
  await asking.step(edited, 'submit');
  expect((await reviewer.visitor.call('GET', path)).status).toBe(200);
  for (const elsewhere of [
    base,
    `/api/sandbox/organisations/${asking.organisation.id}/apps/${asking.appId}/evidence`,
  ]) {
    expect((await reviewer.visitor.call('GET', elsewhere)).status).toBe(404);
  }
  expect(codeOf(await owner.call('GET', path))).toEqual([403, 'operator_required']);
});

test('a decision is marked as read for the whole organisation, once, and a later decision of the request is unread', async () => {
  const asking = await createApplicant(site);
  const { owner, base, organisation } = asking;
  const developer = await organisation.join('developer');
  const viewer = await organisation.join('viewer');
  const submitted = await asking.submitted(['servers:read']);
  const mark = (decidedAt: string | null, { visitor }: JoinedMember = developer) =>
    visitor.call<Detail>('POST', `${base}/${submitted.id}/read`, { decidedAt });
  const listed = async () => (await owner.call<{ data: Detail[] }>('GET', base)).body.data[0];
  expect(codeOf(await mark('2026-11-03T09:00:00.000Z'))).toEqual([409, 'conflict']); // no decision yet
  await reviewer.decide(submitted, 'request-changes', { version: submitted.version, reason: 'More.' });
  const returned = await asking.read(submitted);
  expect(returned).toMatchObject({ decisionReadAt: null, decisionReadBy: null });
  expect(codeOf(await mark(returned.decidedAt, viewer))).toEqual([403, 'role_not_allowed']);
  const marked = (await mark(returned.decidedAt)).body;
  expect(marked).toMatchObject({ version: returned.version, decisionReadBy: developer.person.email });
  // Another member marks it again: the first reader stays.
  expect((await mark(returned.decidedAt, organisation.owner)).body).toEqual(marked);
  expect(await listed()).toEqual(marked);
  const log = await query<{ actor: string; target: string }>(
    "select actor, target from audit_entries where organisation_id = $1 and action = 'live_access.read'",
    [uuidOf(organisation.id)],
  );
  expect(log).toEqual([{ actor: developer.person.email, target: submitted.id }]);
  // The next decision has no reader, and the time of the previous one does not mark it.
  const again = (await asking.step(await asking.read(submitted), 'submit')).body;
  await reviewer.decide(again, 'reject', { version: again.version, reason: 'No.' });
  expect(await listed()).toMatchObject({ state: 'rejected', decisionReadAt: null, decisionReadBy: null });
  expect(codeOf(await mark(returned.decidedAt))).toEqual([409, 'conflict']);
  const { decidedAt } = await asking.read(submitted);
  expect((await mark(decidedAt)).body.decisionReadBy).toBe(developer.person.email);
  const foreign = await createApplicant(site);
  expect((await foreign.owner.call('POST', `${foreign.base}/${submitted.id}/read`, { decidedAt })).status).toBe(404);
});
