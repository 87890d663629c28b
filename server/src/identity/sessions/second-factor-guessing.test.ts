// Guesses of a second factor: the number of compared codes of one person is limited, also for concurrent requests.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { beginSignIn, codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { openDatabase, openPool } from '../../kit/db/db.ts';
import { ProblemError } from '../../kit/openapi/problems.ts';
import { createIdentity, type Person } from './index.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
const wrong = (at: number): string => String(100_000 + at);

async function enrol() {
  const { person, visitor } = await site.newPerson();
  return { person, visitor, ...(await enrolSecondFactor(visitor)) };
}

/** Returns a visitor with the same session from a new address. */
const from = ({ cookie }: TestVisitor): TestVisitor => Object.assign(site.newVisitor(), { cookie });
const begin = (person: Person): Promise<TestVisitor> => beginSignIn(site, person);

/** Sends 15 requests at a time: more would wait too long for the five connections of a Console on a busy machine. */
async function statusesOf(count: number, guess: (at: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let start = 0; start < count; start += 15) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(15, count - start) }, (_, at) => guess(start + at)),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses.toSorted();
}

const subjectsTo = async ({ email }: Person): Promise<string[]> => {
  const { rows } = await query('select subject from outbox where recipient = $1 order by subject', [email]);
  return rows.map(({ subject }) => subject);
};

test.each<[string, string]>([
  ['verifySecondFactor', '/api/second-factor/verify'],
  ['disableSecondFactor', '/api/second-factor/disable'],
])('%s compares ten of sixty concurrent wrong codes from a stolen session, and then locks', async (_, path) => {
  const { person, visitor, uri, recoveryCodes } = await enrol();
  const statuses = await statusesOf(60, (at) => from(visitor).call('POST', path, { code: wrong(at) }));
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(50).fill(429)]);
  const right = await from(visitor).call('POST', path, { code: codeOf(uri, 1) });
  expect([right.status, right.body.code]).toEqual([429, 'rate_limited']);
  const seconds = Number(right.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(800);
  expect(seconds).toBeLessThanOrEqual(900);
  const other = await begin(person);
  for (const code of [codeOf(uri, 1), recoveryCodes[0]])
    expect((await other.call('POST', '/api/session/second-factor', { code })).status).toBe(429);
  expect(await subjectsTo(person)).toEqual(['A second factor was set up', 'Wrong codes of your second factor']);
  await query(`update "twoFactor" set "lockedUntil" = now() - interval '1 second' where "userId" = $1`, [person.id]);
  expect((await from(visitor).call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) })).status).toBe(204);
});

test.each([
  ['codes', wrong],
  ['recovery codes', (at: number) => `aaaaa-${10_000 + at}`],
])('sign-ins compare ten concurrent wrong %s in total, over all challenges of a person', async (_, guess) => {
  const { person, uri } = await enrol();
  const visitors: TestVisitor[] = [];
  for (let at = 0; at < 15; at += 1) visitors.push(await begin(person));
  const statuses = await statusesOf(15, (at) =>
    (visitors[at] as TestVisitor).call('POST', '/api/session/second-factor', { code: guess(at) }),
  );
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
  const code = codeOf(uri, 1);
  expect((await (await begin(person)).call('POST', '/api/session/second-factor', { code })).status).toBe(429);
});

test('the confirmation of a new second factor compares ten of thirty concurrent wrong codes', async () => {
  const { visitor } = await site.newPerson();
  await visitor.call('POST', '/api/second-factor', {});
  const statuses = await statusesOf(30, (at) =>
    from(visitor).call('POST', '/api/second-factor/confirm', { code: wrong(at) }),
  );
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
});

test('two processes share one count of wrong codes', async () => {
  const { person } = await enrol();
  const options = { url: site.database.url, max: 5, queryTimeoutMs: 5_000, connectTimeoutMs: 5_000 };
  const processes = [0, 1].map(() => {
    const [db, pool] = [openDatabase(options), openPool(options)];
    const secrets = { consoleUrl: 'http://localhost:7000', secret: secret('a secret of the Console, for tests only') };
    return { db, pool, identity: createIdentity({ pool, db, ...secrets }) };
  });
  try {
    const guesses = Array.from({ length: 16 }, async (_, at) => {
      const { secondFactor } = (processes[at % 2] as (typeof processes)[0]).identity;
      const visitor = { cookie: undefined, address: `198.51.100.${at}` };
      return secondFactor.verify(visitor, person.id, { code: wrong(at) }).then(
        () => 'compared',
        (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
      );
    });
    expect((await Promise.all(guesses)).toSorted()).toEqual([
      ...Array(10).fill('compared'),
      ...Array(6).fill('rate_limited'),
    ]);
  } finally {
    for (const { db, pool } of processes) {
      await db.close();
      await pool.end();
    }
  }
});

test('a correct code resets the count of wrong codes', async () => {
  const { visitor, uri } = await enrol();
  for (let at = 0; at < 9; at += 1) await from(visitor).call('POST', '/api/second-factor/verify', { code: wrong(at) });
  const other = from(visitor);
  expect((await other.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) })).status).toBe(204);
  expect((await from(other).call('POST', '/api/second-factor/verify', { code: wrong(9) })).status).toBe(401);
});
