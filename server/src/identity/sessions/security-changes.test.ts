// Account changes with a mail are limited for each person and day.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { MAX_CHANGES_A_DAY } from './security-change-store.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const REMOVAL = '/api/second-factor/removal';
const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);

test('a removal of a second factor is refused after five requests on one UTC day, and sends no further mail that day', async () => {
  const { person, visitor } = await site.newPerson();
  await enrolSecondFactor(visitor);
  const mails = async () =>
    (await query(`select from outbox where recipient = $1 and subject like 'The removal%'`, [person.email])).rowCount;
  for (let time = 1; time <= MAX_CHANGES_A_DAY; time++) {
    expect((await visitor.call('POST', REMOVAL, {})).status).toBe(202);
    expect((await visitor.call('DELETE', REMOVAL)).status).toBe(204);
  }
  const refused = await visitor.call('POST', REMOVAL, {});
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited', detail: expect.stringMatching(/5 times a day.*00:00 UTC/) },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([await mails(), (await visitor.call('DELETE', REMOVAL)).status]).toEqual([MAX_CHANGES_A_DAY, 404]);
  await query('update security_changes set day = day - 1 where person_id = $1', [person.id]);
  expect((await visitor.call('POST', REMOVAL, {})).status).toBe(202);
  expect(await mails()).toBe(MAX_CHANGES_A_DAY + 1);
});
