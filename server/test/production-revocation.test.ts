// A restriction of the organisation is linearizable in production while the upstream API states grants concurrently.
// `npm run prove -- revocation` proves the same on three nodes.
import { expect, test } from 'vitest';
import { measureChange, type TestEnvironment } from './access-changes.ts';
import { useInstalledApp } from './installed-app.fixture.ts';
import { checkHistory } from './linearizable.ts';
import { judgeByEventsReadOnly } from './publication-event.ts';
import { restrictionsOf, type UpstreamSubject } from './restriction-changes.ts';

const { production, upstreamApi, app, server, serverAt, state, report, manage, query } = useInstalledApp();

const LOAD = { nodes: 1, readers: 4, questions: 30 };
const ONE_ROUND = 11;

/** Returns an app of production with two authorised servers. */
async function newSubject(): Promise<UpstreamSubject> {
  const testEnvironment: TestEnvironment = {
    environment: 'production',
    peppers: production().options.peppers,
    superuser: query,
    observeForwarded: (appId) => upstreamApi().observeMutations(appId),
    async ask(_, token, { method, path, body }) {
      const answer = await production().call(path, token, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const { code } = answer.body;
      return {
        status: answer.status,
        code: code === undefined ? code : String(code),
        text: JSON.stringify(answer.body),
      };
    },
    async manage(method, path, body) {
      const answer = await manage(method, path.replace(`/apps/${app().id}`, ''), body);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return { text: JSON.stringify(answer.body) };
    },
  };
  const serverIds = [server(), serverAt(1)];
  for (const one of serverIds) await state(one, 'authorised');
  const publish: UpstreamSubject['publish'] = (serverId) => report('publications:read', serverId);
  return { testEnvironment, appId: app().id, serverIds, state, publish };
}

test('a call that begins after the response to a restriction is refused and does not reach the upstream API', async () => {
  const subject = await newSubject();
  const kinds = new Set<string>();
  for await (const change of restrictionsOf(subject)) {
    if (kinds.has(change.kind)) break;
    const { writtenAfter, ...history } = await measureChange(subject, change, LOAD);
    const { late, early, backwards, begunAfter } = checkHistory(history);
    const none = { late: 0, early: 0, backwards: 0, writtenAfter: 0 };
    expect({ kind: change.kind, late, early, backwards, writtenAfter }).toEqual({ kind: change.kind, ...none });
    expect(begunAfter).toBeGreaterThanOrEqual(LOAD.readers);
    kinds.add(change.kind);
  }
  expect(kinds.size).toBe(ONE_ROUND);
}, 60_000);

test('the check detects an app whose events are judged by events:read only', async () => {
  const subject = await newSubject();
  await judgeByEventsReadOnly(subject);
  for await (const change of restrictionsOf(subject)) {
    if (change.kind !== 'a scope is paused by the organisation') continue;
    const history = await measureChange(subject, change, LOAD);
    expect(checkHistory(history).late).toBeGreaterThanOrEqual(LOAD.readers);
    return;
  }
}, 60_000);
