// The mail settings of notices belong to one member of one organisation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation } from '../../../test/organisation.fixture.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

test('mail settings concern one member of one organisation, and are stored until they are replaced', async () => {
  const home = await foundOrganisation(site);
  const viewer = await home.join('viewer');
  const second = await home.owner.visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Second home' });
  const settingsOf = async ({ visitor }: Pick<typeof viewer, 'visitor'>, base = home.base) =>
    (await visitor.call('GET', `${base}/notice-mail-settings`)).body;
  const unset = { timing: null, mutedKinds: [] };
  expect([await settingsOf(home.owner), await settingsOf(viewer)]).toEqual([unset, unset]);
  for (const settings of [
    { timing: 'daily', mutedKinds: ['key_expires', 'live_access_decided'] },
    { timing: 'never', mutedKinds: [] },
  ]) {
    const { status, body } = await viewer.visitor.call('PUT', `${home.base}/notice-mail-settings`, settings);
    expect([status, body]).toEqual([200, settings]);
    expect([await settingsOf(viewer), await settingsOf(home.owner)]).toEqual([settings, unset]);
  }
  const elsewhere = `/api/organisations/${second.body.id}`;
  const own = { timing: 'immediately', mutedKinds: [] };
  await home.owner.visitor.call('PUT', `${home.base}/notice-mail-settings`, own);
  expect([await settingsOf(home.owner), await settingsOf(home.owner, elsewhere)]).toEqual([own, unset]);
});
