// Saved views belong to one member in one organisation, and their number is limited.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { foundOrganisation, runConcurrently, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { DatabaseUnavailable } from '../../kit/db/db.ts';
import { MAX_VIEWS } from './saved-view.ts';

let site: TestConsole;
let home: TestOrganisation;
let isSandboxDown = false;
let aView: { appId: string; page: string; name: string; filters: string };

beforeAll(async () => {
  site = await startConsole('local', {
    wrapLink: (link) => async (call) => {
      if (isSandboxDown) throw new DatabaseUnavailable('The sandbox does not answer.');
      return link(call);
    },
  });
  home = await foundOrganisation(site);
  aView = { appId: await newApp(), page: 'requests', name: 'Wrong paths', filters: 'status=404' };
});
afterAll(() => site.close());

const newApp = async (): Promise<string> => {
  const path = `/api/sandbox/organisations/${home.id}/apps`;
  return (await home.owner.visitor.call<{ id: string }>('POST', path, { name: 'Bridge' })).body.id;
};
/** Copies the member's only view until the member has this number of views. */
const fillUp = (person: { id: string }, number: number) =>
  site.database.superuser.query(
    `insert into saved_views select gen_random_uuid(), organisation_id, person_id, app_id, page, n::text, filters
     from saved_views, generate_series(2, $2::int) n where person_id = $1`,
    [person.id, number],
  );
const views = () => `${home.base}/saved-views`;
const save = (visitor: TestVisitor, view: object) => visitor.call<{ id: string }>('PUT', views(), view);
const list = async (visitor: TestVisitor): Promise<object[]> =>
  (await visitor.call<{ data: object[] }>('GET', views())).body.data;

test('a member saves, replaces and deletes views, which no other member sees', async () => {
  const [{ visitor }, other] = [await home.join('viewer'), await home.join('admin')];
  const first = await save(visitor, aView);
  expect([first.status, first.body]).toEqual([200, { id: first.body.id, ...aView }]);
  const replaced = await save(visitor, { ...aView, name: ' Wrong paths ', filters: 'status=404&last=24h' });
  expect(replaced.body).toEqual({ ...first.body, filters: 'status=404&last=24h' });
  const ofEvents = await save(visitor, { ...aView, page: 'events', name: 'a view' });
  expect(await list(visitor)).toEqual([ofEvents.body, replaced.body]);
  expect(await list(other.visitor)).toEqual([]);
  const path = `${views()}/${first.body.id}`;
  expect((await other.visitor.call('DELETE', path)).status).toBe(404);
  expect((await home.owner.visitor.call('DELETE', path)).status).toBe(404);
  expect((await visitor.call('DELETE', path)).status).toBe(204);
  expect((await visitor.call('DELETE', path)).status).toBe(404);
  expect(await list(visitor)).toEqual([ofEvents.body]);
});

test('refuses a name over 100 characters, filters over 2,000, and text that is no query of an address', async () => {
  const { visitor } = await home.join('viewer');
  for (const part of [{ name: 'n'.repeat(101) }, { filters: 'f'.repeat(2001) }, { filters: 'a b' }, { filters: '' }])
    expect((await save(visitor, { ...aView, ...part })).status).toBe(400);
  expect(await list(visitor)).toEqual([]);
});

test('admits one of several concurrent saves below the limit, and still replaces a view at the limit', async () => {
  const { visitor, person } = await home.join('viewer');
  expect((await save(visitor, aView)).status).toBe(200);
  await fillUp(person, MAX_VIEWS - 1);
  const names = ['one', 'two', 'three'];
  const answers = await runConcurrently(
    site,
    names.map((name) => () => save(visitor, { ...aView, name })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await save(visitor, { ...aView, name: 'four' })).body).toMatchObject({ code: 'quota_exceeded' });
  expect((await save(visitor, { ...aView, filters: 'status=403' })).status).toBe(200);
  expect(await list(visitor)).toHaveLength(MAX_VIEWS);
});

test('views of an erased app do not count towards the limit', async () => {
  const { visitor, person } = await home.join('viewer');
  const erasedId = await newApp();
  const eraseAfter = (interval: string) =>
    site.plane.database.superuser.query(
      "update apps set state = 'suspended', erase_at = now() + $2::interval where app_id = $1",
      [fromId('app', erasedId), interval],
    );
  await save(visitor, { ...aView, appId: erasedId });
  await fillUp(person, MAX_VIEWS - 1);
  const kept = await save(visitor, aView);
  // The app can still be restored with its views.
  await eraseAfter('1 day');
  expect((await save(visitor, { ...aView, name: 'Another' })).body).toMatchObject({ code: 'quota_exceeded' });
  await eraseAfter('-1 second');
  isSandboxDown = true;
  expect((await save(visitor, { ...aView, name: 'Another' })).body).toMatchObject({ code: 'quota_exceeded' });
  isSandboxDown = false;
  expect(await list(visitor)).toHaveLength(MAX_VIEWS);
  const another = await save(visitor, { ...aView, name: 'Another' });
  expect(another.status).toBe(200);
  expect(await list(visitor)).toEqual([another.body, kept.body]);
});

test('views end with the membership', async () => {
  const { visitor } = await home.join('viewer');
  await save(visitor, aView);
  expect((await visitor.call('POST', `${home.base}/leave`, { keys: 'keep' })).status).toBeLessThan(300);
  const { rows } = await site.database.superuser.query(
    'select from saved_views v where not exists (select from members m where (m.organisation_id, m.person_id) = (v.organisation_id, v.person_id))',
  );
  expect(rows).toEqual([]);
  expect((await visitor.call('GET', views())).status).toBe(404);
});
