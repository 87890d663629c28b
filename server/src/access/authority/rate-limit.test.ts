// The rate limit of a key applies across all nodes and operations, needs few writes, and does not affect other keys.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { type ApiNode, type NodeAnswer, startNode } from '../../../test/node.ts';

const RATE = { perSecond: 100, burst: 200 };

let sandbox: Sandbox;
const nodes: ApiNode[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ rate: RATE });
  await sandbox.database.superuser.query(`create sequence shares;
    create function count_share() returns trigger language plpgsql security definer as
      $$ begin perform nextval('shares'); return new; end $$;
    create trigger count_share before insert on rate_buckets for each row execute function count_share();
    -- Stops the clock of the buckets: a bucket whose latest share is in the future fills only by fill().
    create function stop_clock() returns trigger language plpgsql as
      $$ begin new.at := clock_timestamp() + interval '1 day'; return new; end $$;
    create trigger stop_clock before insert or update on rate_buckets for each row execute function stop_clock()`);
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});
afterAll(() => sandbox.close());

function newNode(): ApiNode {
  const node = startNode(sandbox);
  nodes.push(node);
  return node;
}

async function newKey(): Promise<string> {
  return (await (await sandbox.newApp()).key()).token;
}

async function countShares(): Promise<number> {
  const { rows } = await sandbox.database.superuser.query('select last_value::int as n from shares');
  return rows[0].n;
}

/** Adds tokens to the bucket of the key, as time would. Returns the content of the bucket. */
async function fill(token: string, tokens: number): Promise<number> {
  const { rows } = await sandbox.database.superuser.query(
    `update rate_buckets b set tokens = least($2::float8, tokens + $3::float8) from keys k
     where k.key_id = b.key_id and k.kid = $1 returning b.tokens`,
    [token.split('_')[2], RATE.burst, tokens],
  );
  return rows[0].tokens;
}

const me = (node: ApiNode, token: string): Promise<NodeAnswer> => node.call('GET', '/v1/me', token);
const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));
const passed = (answers: readonly NodeAnswer[]): number => answers.filter(({ status }) => status === 200).length;

test('a complete burst passes, and each request above it is refused with Retry-After and recorded', async () => {
  const node = newNode();
  const token = await newKey();
  const answers = await times(RATE.burst * 3, () => me(node, token));
  expect(passed(answers)).toBe(RATE.burst);
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused?.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-policy': '"key";q=200;w=2',
    ratelimit: expect.stringMatching(/^"key";r=0;t=2$/),
  });
  const { rows } = await sandbox.database.superuser.query(
    "select count(*)::int as n from request_records where status = 429 and problem_code = 'rate_limited'",
  );
  expect(rows).toEqual([{ n: answers.length - passed(answers) }]);
});

test('the response headers contain the remaining requests, which decrease with each request', async () => {
  const node = newNode();
  const token = await newKey();
  const remaining = async (): Promise<number> =>
    Number(/^"key";r=(\d+);t=\d+$/.exec(String((await me(node, token)).headers.ratelimit))?.[1]);
  const seen = [await remaining(), await remaining(), await remaining()];
  expect(seen).toEqual([199, 198, 197]);
});

test('three nodes together admit at most a tenth more than the limit, with one write for several requests', async () => {
  const three = [newNode(), newNode(), newNode()];
  const token = await newKey();
  // Each node holds an earlier share, which is the worst case.
  for (const node of three) expect((await me(node, token)).status).toBe(200);
  const sharesBefore = await countShares();
  const figure = RATE.burst + RATE.perSecond * 2;
  let through = 0;
  /** Sends until the bucket is empty and the node holds no share. */
  const exhaust = async (node: ApiNode): Promise<void> => {
    for (let isOver = false; !isOver && through <= 2 * figure; ) {
      const isEmpty = (await fill(token, 0)) < 1;
      const count = passed(await times(16, () => me(node, token)));
      through += count;
      isOver = isEmpty && count === 0;
    }
  };
  for (const added of [RATE.burst, RATE.perSecond, RATE.perSecond]) {
    await fill(token, added);
    await Promise.all(three.map(exhaust));
  }
  const writes = (await countShares()) - sharesBefore;
  console.log(`through ${through} of ${figure} on three nodes, ${writes} writes`);
  expect(through).toBeLessThanOrEqual(1.1 * figure);
  expect(through).toBeGreaterThanOrEqual(figure);
  expect(writes).toBeLessThanOrEqual(through / 2);
});

test('a single caller needs one write for several requests', async () => {
  const node = newNode();
  const token = await newKey();
  const before = await countShares();
  for (let call = 0; call < 60; call++) expect((await me(node, token)).status).toBe(200);
  expect((await countShares()) - before).toBeLessThanOrEqual(60 / 3);
});

test('a busy key does not slow another key, and unknown paths count too', async () => {
  const node = newNode();
  const [loud, quiet] = [await newKey(), await newKey()];
  const lost = await times(RATE.burst * 2, () => node.call('GET', '/v1/nothing', loud));
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([404, 429]));
  expect((await me(node, quiet)).status).toBe(200);
});

test('a refused key receives its own refusal, not rate_limited', async () => {
  const node = newNode();
  const app = await sandbox.newApp();
  const key = await app.key();
  await times(RATE.burst * 2, () => me(node, key.token));
  await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  expect((await me(node, key.token)).code).toBe('revoked_key');
});

test('a key from a forbidden address uses none of its rate', async () => {
  const input = { name: 'A key', scopes: ['servers:read'], expiresInDays: 7, allowedCidrs: ['192.0.2.0/24'] };
  const { id } = await sandbox.newApp();
  const { body } = await sandbox.manage<{ token: string }>('POST', `/apps/${id}/keys`, input);
  const node = newNode();
  const answers = await times(RATE.burst + 50, () => me(node, body.token));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['address_not_allowed']));
  const { rows } = await sandbox.database.superuser.query(
    'select from rate_buckets join keys using (key_id) where kid = $1',
    [body.token.split('_')[2]],
  );
  expect(rows).toEqual([]);
});
