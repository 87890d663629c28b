// The name of a person, which the other members see.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';

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

test('a name without a visible character is refused', async () => {
  const { visitor } = await home.join('viewer');
  expect((await visitor.call('PATCH', '/api/person', { name: '  ' })).status).toBe(400);
});
