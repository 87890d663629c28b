// The name of a person, which the other members see.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let site: TestConsole;
let home: TestOrganisation;

beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
afterAll(() => site.close());

test('a person changes only their own name, which the session and the list of members show', async () => {
  const { visitor, memberId } = await home.join('viewer');
  const names = async () => {
    const { body } = await home.owner.visitor.call<{ data: { id: string; name: string }[] }>(
      'GET',
      `${home.base}/members`,
    );
    return new Map(body.data.map(({ id, name }) => [id, name]));
  };
  const before = await names();
  expect((await visitor.call('PATCH', '/api/person', { name: ' Imke Janssen ' })).status).toBe(204);
  const session = await visitor.call<{ person: { name: string } }>('GET', '/api/session');
  expect(session.body.person.name).toBe('Imke Janssen');
  expect(await names()).toEqual(before.set(memberId, 'Imke Janssen'));
});

test('the audit log of each organisation of the person has the old and the new name, once per change', async () => {
  const { visitor, person } = await home.join('viewer');
  const own = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Crane' });
  expect(own.status).toBe(201);
  const first = await visitor.call<{ person: { name: string } }>('GET', '/api/session');
  for (const name of ['Imke', 'Imke ', 'Imke Janssen'])
    expect((await visitor.call('PATCH', '/api/person', { name })).status).toBe(204);
  const { rows } = await site.database.superuser.query(
    `select organisation_id, actor_kind, actor_id, target, detail from audit_entries
     where action = 'person.update' and actor_id = $1 order by organisation_id, sequence`,
    [person.id],
  );
  const entry = { actor_kind: 'person', actor_id: person.id, target: person.id };
  const ofEach = [home.id, own.body.id]
    .map((id) => fromId('org', id) ?? '')
    .sort()
    .flatMap((organisation_id) => [
      { ...entry, organisation_id, detail: { name: 'Imke', before: first.body.person.name } },
      { ...entry, organisation_id, detail: { name: 'Imke Janssen', before: 'Imke' } },
    ]);
  expect(rows).toEqual(ofEach);
});

test('a name without a visible character is refused', async () => {
  const { visitor } = await home.join('viewer');
  expect((await visitor.call('PATCH', '/api/person', { name: '  ' })).status).toBe(400);
});
