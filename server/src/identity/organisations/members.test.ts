// The members of an organisation, their roles, changes of both, and the effects of the end of a membership.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import {
  foundOrganisation,
  type JoinedMember,
  runConcurrently,
  type TestOrganisation,
} from '../../../test/organisation.fixture.ts';
import { ROLES, type Role } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { DatabaseUnavailable } from '../../kit/db/db.ts';

let site: TestConsole;
let home: TestOrganisation;
let second: JoinedMember;
let isPlaneOut = false;

beforeAll(async () => {
  site = await startConsole('local', {
    wrapLink: (link) => async (call) => {
      if (isPlaneOut) throw new DatabaseUnavailable('for a test');
      return link(call);
    },
  });
  home = await foundOrganisation(site);
  second = await home.join('admin');
});
afterAll(() => site.close());

const statusAndCode = ({ status, body }: Answer): unknown[] => [status, body?.code];
const change = ({ visitor }: JoinedMember, { memberId }: JoinedMember, role: Role): Promise<Answer> =>
  visitor.call('PATCH', `${home.base}/members/${memberId}`, { role });
const remove = ({ visitor }: JoinedMember, { memberId }: JoinedMember, keys = 'keep'): Promise<Answer> =>
  visitor.call('POST', `${home.base}/members/${memberId}/remove`, { keys });
const leave = ({ visitor }: JoinedMember, keys = 'keep'): Promise<Answer> =>
  visitor.call('POST', `${home.base}/leave`, { keys });
const owners = async (): Promise<number> => {
  const { rowCount } = await site.database.superuser.query(
    "select from members where role = 'owner' and organisation_id = $1",
    [fromId('org', home.id)],
  );
  return rowCount ?? 0;
};

test('members are listed in pages, newest first, with cursors that other organisations cannot use', async () => {
  const third = await home.join('viewer');
  const first = await home.owner.visitor.call<{ data: { id: string }[]; nextCursor: string }>(
    'GET',
    `${home.base}/members?limit=2`,
  );
  expect(first.body.data.map(({ id }) => id)).toEqual([third.memberId, second.memberId]);
  const { email, name } = third.person;
  expect(first.body.data[0]).toEqual({
    ...{ id: third.memberId, email, name },
    role: 'viewer',
    joinedAt: expect.any(String),
    suspendedAt: null,
  });
  const cursor = encodeURIComponent(first.body.nextCursor);
  const next = await home.owner.visitor.call('GET', `${home.base}/members?limit=2&cursor=${cursor}`);
  expect(next.body).toMatchObject({ data: [{ id: home.owner.memberId, role: 'owner' }], nextCursor: null });
  const elsewhere = await foundOrganisation(site);
  const strange = await elsewhere.owner.visitor.call('GET', `${elsewhere.base}/members?limit=2&cursor=${cursor}`);
  expect(statusAndCode(strange)).toEqual([400, 'invalid_request']);
  await remove(home.owner, third);
});

test('a suspended member sees the organisation with the reason and the owners who were members at that time', async () => {
  const member = await home.join('developer');
  const { superuser } = site.database;
  const id = [fromId('org', home.id), fromId('mem', member.memberId)];
  await superuser.query(
    'update members set suspended_at = clock_timestamp() where organisation_id = $1 and member_id = $2',
    id,
  );
  const later = await home.join('admin');
  expect((await change(home.owner, later, 'owner')).status).toBe(200);
  const session = async () => (await member.visitor.call<Record<string, unknown>>('GET', '/api/session')).body;
  const suspended = { id: home.id, name: 'Harbour Tools', suspendedAt: expect.any(String), reason: 'restore' };
  expect(await session()).toMatchObject({
    organisations: [],
    suspendedIn: [{ ...suspended, owners: [home.owner.person.email] }],
  });
  expect((await change(home.owner, later, 'admin')).status).toBe(200);
  expect((await change(home.owner, member, 'developer')).status).toBe(200);
  expect(await session()).toMatchObject({ organisations: [{ id: home.id }], suspendedIn: [] });
});

test('the table of roles that the API returns is the table that decides', async () => {
  const { body } = await second.visitor.call<{ data: { role: Role; actions: string[] }[] }>('GET', '/api/roles');
  expect(body.data.map(({ role }) => role)).toEqual(ROLES);
  const actionsOf = (role: Role) => body.data.find((one) => one.role === role)?.actions ?? [];
  expect(actionsOf('owner')).toEqual(expect.arrayContaining(ROLES.flatMap(actionsOf)));
  expect(actionsOf('admin')).not.toContain('organisation.transfer');
  expect(actionsOf('viewer')).not.toContain('members.invite');
});

// Expresses the rule independently of the code: only owners and admins manage members, and only owners manage owners.
const mayGive = (own: Role, theirs: Role, next: Role): boolean =>
  own === 'owner' || (own === 'admin' && theirs !== 'owner' && next !== 'owner');

test.each(ROLES)('a member in the role %s can give and take only roles within their own', async (own) => {
  const other = await home.join('viewer');
  for (const theirs of ROLES) {
    // A role that may not manage members is refused for every role.
    for (const next of own === 'owner' || own === 'admin' ? ROLES : [theirs]) {
      await home.setRole(second, own);
      await home.setRole(other, theirs);
      const answer = await change(second, other, next);
      const isAllowed = mayGive(own, theirs, next);
      expect([theirs, next, ...statusAndCode(answer)]).toEqual([
        theirs,
        next,
        ...(isAllowed ? [200, undefined] : [403, 'role_not_allowed']),
      ]);
      expect(await home.roleOf(other)).toBe(isAllowed ? next : theirs);
    }
    await home.setRole(other, theirs);
    if (!mayGive(own, theirs, theirs))
      expect(statusAndCode(await remove(second, other))).toEqual([403, 'role_not_allowed']);
    const invited = await second.visitor.call('POST', `${home.base}/invitations`, {
      email: `${own}-${theirs}@example.org`,
      role: theirs,
    });
    expect([theirs, invited.status]).toEqual([theirs, mayGive(own, theirs, theirs) ? 201 : 403]);
  }
  await home.setRole(second, 'admin');
  await remove(home.owner, other);
});

describe('the last owner', () => {
  test('cannot be demoted or removed, and cannot leave', async () => {
    const { owner } = home;
    for (const answer of [await change(owner, owner, 'admin'), await remove(owner, owner), await leave(owner)]) {
      expect(statusAndCode(answer)).toEqual([409, 'conflict']);
    }
    expect(await home.roleOf(owner)).toBe('owner');
  });

  type Change = (a: JoinedMember, b: JoinedMember) => Promise<Answer>;
  const ways: [string, Change, Change][] = [
    ['they demote each other', (a, b) => change(a, b, 'admin'), (a, b) => change(b, a, 'admin')],
    ['both step back', (a) => change(a, a, 'viewer'), (_, b) => change(b, b, 'viewer')],
    ['they remove each other', (a, b) => remove(a, b), (a, b) => remove(b, a)],
    ['both leave', (a) => leave(a), (_, b) => leave(b)],
    ['one leaves and demotes the other', (a) => leave(a), (a, b) => change(a, b, 'viewer')],
  ];
  test.each(ways)('remains after concurrent changes of two owners: %s', async (_, one, other) => {
    const a = await home.join('owner');
    const b = await home.join('owner');
    await home.setRole(home.owner, 'viewer'); // two are left
    const both = await runConcurrently(site, [() => one(a, b), () => other(a, b)]);
    const statuses = both.map(({ status }) => status).sort();
    expect([await owners(), statuses[0]]).toEqual([1, 200]);
    expect([403, 404, 409]).toContain(statuses[1]);
    await home.setRole(home.owner, 'owner');
    for (const someone of [a, b]) await remove(home.owner, someone);
  });
});

test('ownership can be transferred only to another member, and the former owner becomes an admin', async () => {
  const next = await home.join('developer');
  const transfer = ({ visitor }: JoinedMember, memberId: string): Promise<Answer> =>
    visitor.call('POST', `${home.base}/transfer`, { memberId });
  const elsewhere = await foundOrganisation(site);
  for (const memberId of [home.owner.memberId, elsewhere.owner.memberId]) {
    const answer = await transfer(home.owner, memberId);
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/memberId' }]]);
  }
  expect(statusAndCode(await transfer(second, second.memberId))).toEqual([403, 'role_not_allowed']);
  expect((await transfer(home.owner, next.memberId)).body).toMatchObject({ id: next.memberId, role: 'owner' });
  expect([await home.roleOf(home.owner), await home.roleOf(next)]).toEqual(['admin', 'owner']);
  expect((await transfer(next, home.owner.memberId)).status).toBe(200);
  await remove(home.owner, next);
});

describe('a removed member', () => {
  test('finds nothing in the organisation from the next request on, in each session', async () => {
    const removed = await home.join('admin');
    const elsewhere = site.newVisitor();
    await elsewhere.signInByLink(removed.person);
    const apps = `/api/sandbox${home.base.replace('/api', '')}/apps`;
    expect((await elsewhere.call('GET', apps)).status).toBe(200);
    expect(await remove(home.owner, removed)).toMatchObject({ status: 200, body: { keys: [] } });
    for (const visitor of [removed.visitor, elsewhere]) {
      expect(statusAndCode(await visitor.call('GET', apps))).toEqual([404, 'not_found']);
      expect(statusAndCode(await visitor.call('POST', apps, { name: 'Mine' }))).toEqual([404, 'not_found']);
      expect(statusAndCode(await visitor.call('GET', `${home.base}/members`))).toEqual([404, 'not_found']);
      expect((await visitor.call('GET', '/api/session')).body.organisations).toEqual([]);
    }
    expect(statusAndCode(await remove(home.owner, removed))).toEqual([404, 'not_found']);
  });

  test('is not removed without a choice for the member’s keys', async () => {
    for (const body of [{}, { keys: 'forget' }]) {
      const answer = await home.owner.visitor.call('POST', `${home.base}/members/${second.memberId}/remove`, body);
      expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/keys' }]]);
    }
    expect(await home.roleOf(second)).toBe('admin');
  });

  describe('the keys of the removed member', () => {
    const plane = (): string => `/api/sandbox${home.base.replace('/api', '')}`;
    async function makeKey({ visitor }: JoinedMember, appId: string): Promise<string> {
      const input = { name: 'A key', scopes: ['events:read'], expiresInDays: 1 };
      const made = await visitor.call<{ key: { id: string } }>('POST', `${plane()}/apps/${appId}/keys`, input);
      return made.body.key.id;
    }
    const stateOf = async (appId: string, keyId: string): Promise<string | undefined> => {
      const path = `${plane()}/apps/${appId}/keys`;
      const list = await home.owner.visitor.call<{ data: { id: string; state: string }[] }>('GET', path);
      return list.body.data.find(({ id }) => id === keyId)?.state;
    };
    async function someoneWithKeys() {
      const someone = await home.join('developer');
      const apps = await Promise.all(
        ['One', 'Two'].map((name) => home.owner.visitor.call<{ id: string }>('POST', `${plane()}/apps`, { name })),
      );
      const [one = '', two = ''] = apps.map(({ body }) => body.id);
      const theirs = [await makeKey(someone, one), await makeKey(someone, two)] as const;
      const states = async () => [await stateOf(one, theirs[0]), await stateOf(two, theirs[1])];
      return { someone, states, other: await makeKey(home.owner, one), one };
    }

    test('are revoked in every app on request, and the keys of other members stay active', async () => {
      const { someone, states, other, one } = await someoneWithKeys();
      const { body } = await remove(home.owner, someone, 'revoke');
      expect(body).toEqual({ keys: [{ environment: 'sandbox', outcome: 'revoked', count: 2 }] });
      expect([await states(), await stateOf(one, other)]).toEqual([['revoked', 'revoked'], 'active']);
    });

    test('are revoked also if their creation is in progress, because the removal waits for it', async () => {
      const { someone, one } = await someoneWithKeys();
      const { superuser } = site.plane.database;
      await superuser.query('begin');
      await superuser.query('select from apps where app_id = $1 for no key update', [fromId('app', one)]);
      const making = makeKey(someone, one);
      await untilLocksWaited(superuser, 1);
      const removing = remove(home.owner, someone, 'revoke');
      await untilLocksWaited(superuser, 2);
      await superuser.query('commit');
      const made = await making;
      expect([(await removing).status, await stateOf(one, made)]).toEqual([200, 'revoked']);
    });

    test('stay active on request', async () => {
      const { someone, states } = await someoneWithKeys();
      await leave(someone);
      expect(await states()).toEqual(['active', 'active']);
    });

    test('stay active if the environment is unreachable, with the outcome not_reached, and can be revoked later', async () => {
      const { someone, states } = await someoneWithKeys();
      isPlaneOut = true;
      const { status, body } = await remove(home.owner, someone, 'revoke');
      isPlaneOut = false;
      expect([status, body]).toEqual([
        200,
        { keys: [{ environment: 'sandbox', outcome: 'not_reached', count: null }] },
      ]);
      expect([await home.roleOf(someone), await states()]).toEqual([undefined, ['active', 'active']]);
      const made = { createdBy: someone.person.email };
      expect((await home.owner.visitor.call('POST', `${plane()}/keys/revoke`, made)).body).toEqual({ revoked: 2 });
      expect(await states()).toEqual(['revoked', 'revoked']);
    });

    test('cannot be revoked on leaving by a role that may not revoke keys, and the member stays', async () => {
      const { someone, states } = await someoneWithKeys();
      await home.setRole(someone, 'viewer');
      expect(statusAndCode(await leave(someone, 'revoke'))).toEqual([403, 'role_not_allowed']);
      expect([await home.roleOf(someone), await states()]).toEqual(['viewer', ['active', 'active']]);
    });
  });
});
