// A restriction of the organisation is linearizable in production while the upstream API states grants concurrently.
// `npm run prove -- revocation` proves the same on three nodes.
import { expect, test } from 'vitest';
import { measureChange, type TestEnvironment } from './access-changes.ts';
import { useInstalledApp } from './installed-app.fixture.ts';
import { checkHistory } from './linearizable.ts';
import { restrictionsOf } from './restriction-changes.ts';

const { production, upstreamApi, app, server, serverAt, state, manage, query } = useInstalledApp();

const LOAD = { nodes: 1, readers: 4, questions: 30 };
const ONE_ROUND = 11;

test('a call that begins after the response to a restriction is refused and does not reach the upstream API', async () => {
  const testEnvironment: TestEnvironment = {
    environment: 'production',
    peppers: production().options.peppers,
    superuser: query,
    countForwarded: (appId, sinceMs) =>
      upstreamApi().requests.filter(
        ({ method, claims, arrivedMs }) => method === 'POST' && claims.sub === appId && arrivedMs > sinceMs,
      ).length,
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
  const kinds = new Set<string>();
  for await (const change of restrictionsOf({ testEnvironment, appId: app().id, serverIds, state })) {
    if (kinds.has(change.kind)) break;
    const { writtenAfter, ...history } = await measureChange(
      { testEnvironment, appId: app().id, serverIds },
      change,
      LOAD,
    );
    const { late, early, backwards, begunAfter } = checkHistory(history);
    const none = { late: 0, early: 0, backwards: 0, writtenAfter: 0 };
    expect({ kind: change.kind, late, early, backwards, writtenAfter }).toEqual({ kind: change.kind, ...none });
    expect(begunAfter).toBeGreaterThanOrEqual(LOAD.readers);
    kinds.add(change.kind);
  }
  expect(kinds.size).toBe(ONE_ROUND);
}, 60_000);
