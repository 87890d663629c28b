// Sends Slipway's secrets in every spelling, and canaries, in every undefined place of requests to every operation: no
// table may contain one. server/test/canaries.test.ts covers logs and pages.
import { Pool } from 'undici';
import { toId } from '../../server/src/kit/crypto/ids.ts';
import { publicOperations } from '../../server/src/listeners/sandbox-api.ts';
import {
  CANARY,
  findSpellings,
  type MisplacedRequest,
  placeInFreeText,
  placeText,
  SPELLINGS,
  withCanary,
} from '../../server/test/misplaced-secrets.ts';
import type { Check } from '../kit.ts';
import type { App, WebhookSetup } from '../webhooks/setup.ts';

const AT_ONCE = 16;

export async function sweepCanaries(setup: WebhookSetup, app: App, url: string, secrets: Record<string, string>) {
  const serverId = toId('srv', app.serverId);
  const ofSecrets = Object.values(secrets).flatMap((secret) =>
    Object.values(SPELLINGS).flatMap((spell) => [
      ...publicOperations.flatMap((one) => placeText(one, spell(secret))),
      ...placeInFreeText(serverId, spell(secret)),
    ]),
  );
  const sends = [...ofSecrets, ...withCanary(serverId, CANARY)];
  const { answered, taken } = await sendAll(url, app.token, sends);
  const contents = await contentsOf(setup);
  const canaries = contents.split('\n').filter((line) => line.toLowerCase().includes(CANARY.toLowerCase()));
  const stored = [...findSpellings(contents, secrets), ...canaries];
  const check = (name: string, broken: readonly string[]): Check => ({
    name,
    ok: broken.length === 0,
    figure: `${broken.length} in ${sends.length} requests${broken.length === 0 ? '' : `: ${broken.slice(0, 3).join(' | ')}`}`,
  });
  return [
    // The client refuses to send an invalid header or path.
    {
      name: 'answered requests',
      ok: answered > sends.length * 0.9,
      figure: `${answered} of ${sends.length}`,
    },
    check('stored secrets and canaries', stored),
    check('accepted requests', taken),
  ];
}

/** Returns how many requests were answered, and the requests that were accepted in spite of their misplaced text. */
async function sendAll(url: string, token: string, sends: readonly MisplacedRequest[]) {
  const pool = new Pool(url, { connections: AT_ONCE });
  const remaining = [...sends];
  const taken: string[] = [];
  let answered = 0;
  async function run(): Promise<void> {
    for (let send = remaining.pop(); send !== undefined; send = remaining.pop()) {
      const { method, path, body = null, headers } = send;
      const type = body === null ? {} : { 'content-type': 'application/json' };
      const all = { ...type, authorization: `Bearer ${token}`, ...headers };
      // A request that the client refuses to send is harmless.
      const answer = await pool
        .request({ method: method as 'GET', path: path.replace(/#.*$/, ''), body, headers: all })
        .catch(() => undefined);
      await answer?.body.dump();
      if (answer) answered += 1;
      if (answer && answer.statusCode < 300 && method !== 'GET') taken.push(`${method} ${path}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  await pool.close();
  return { answered, taken };
}

async function contentsOf(setup: WebhookSetup): Promise<string> {
  const tables = await setup.rows<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const contents: string[] = [];
  for (const { name } of tables) {
    const rows = await setup.rows<{ text: string }>(`select '${name}: ' || t::text as text from ${name} t`);
    contents.push(...rows.map(({ text }) => text));
  }
  return contents.join('\n');
}
