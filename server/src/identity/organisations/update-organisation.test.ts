// The name of an organisation: who can change it, and who sees the change.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../../test/organisation.fixture.ts';

let site: TestConsole;
let home: TestOrganisation;

beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
afterAll(() => site.close());

const rename = ({ visitor }: JoinedMember, name: string): Promise<Answer> => visitor.call('PATCH', home.base, { name });
const nameFor = async ({ visitor }: JoinedMember): Promise<string | undefined> => {
  const { body } = await visitor.call<{ organisations: { id: string; name: string }[] }>('GET', '/api/session');
  return body.organisations.find(({ id }) => id === home.id)?.name;
};
const auditedNames = async (): Promise<unknown[]> => {
  const { rows } = await site.database.superuser.query<{ detail: unknown }>(
    `select detail from audit_entries where action = 'organisation.update' order by sequence`,
  );
  return rows.map(({ detail }) => detail);
};

test('an admin renames the organisation for every member, with one audit entry per change', async () => {
  const [admin, viewer] = [await home.join('admin'), await home.join('viewer')];
  const answer = await rename(admin, '  Harbour Works ');
  expect([answer.status, answer.body]).toEqual([200, { id: home.id, name: 'Harbour Works', role: 'admin' }]);
  expect((await rename(home.owner, 'Harbour Works')).status).toBe(200);
  expect(await nameFor(viewer)).toBe('Harbour Works');
  expect(await auditedNames()).toEqual([{ name: 'Harbour Works', before: 'Harbour Tools' }]);
});

test('a developer and an empty name are refused, and the name stays', async () => {
  const before = await nameFor(home.owner);
  const refused = await rename(await home.join('developer'), 'Mine');
  expect([refused.status, refused.body?.code]).toEqual([403, 'role_not_allowed']);
  expect((await rename(home.owner, '   ')).status).toBe(400);
  expect(await nameFor(home.owner)).toBe(before);
});

test('an access token renames the organisation only with the scope write', async () => {
  const before = await nameFor(home.owner);
  const call = async (scope: string, name: string): Promise<Answer> => {
    const input = { name: 'A script', scope, expiresInDays: 1 };
    const { body } = await home.owner.visitor.call<{ token: string }>('POST', `${home.base}/access-tokens`, input);
    const headers = { authorization: `Bearer ${body.token}`, origin: undefined, 'slipway-console': undefined };
    return site.newVisitor().call('PATCH', home.base, { name }, headers);
  };
  const refused = await call('read', 'By a reader');
  expect([refused.status, refused.body?.code]).toEqual([403, 'access_token_not_allowed']);
  expect(await nameFor(home.owner)).toBe(before);
  expect((await call('write', 'By a script')).status).toBe(200);
  expect(await nameFor(home.owner)).toBe('By a script');
});
