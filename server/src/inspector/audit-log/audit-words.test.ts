// What people read of the audit log in the Console is a table of its own, as it knows nothing of the server: it must not fall behind.
import { expect, test } from 'vitest';
import { readSources } from '../../../test/sources.ts';

test('each action that is entered in the audit log has words in the Console', () => {
  const sources = readSources();
  const words = sources.find(({ path }) => path === 'console/src/inspector/audit/audit-words.ts')?.text ?? '';
  const server = sources.filter(({ path }) => path.startsWith('server/src/') && !/\.(test|fixture)\./.test(path));
  const found = server.flatMap(({ text }) =>
    [...text.matchAll(/\baudit\(\s*'(\w+\.\w+)'/g)].map(([, action = '']) => action),
  );
  const steps = ['request_changes', 'approve', 'reject', 'suspend', 'resume', 'revoke'].map(
    (one) => `live_access.${one}`,
  );
  const actions = new Set([...found, ...steps]);
  expect(actions.size).toBeGreaterThan(40);
  expect([...actions].filter((action) => !words.includes(`'${action}': '`))).toEqual([]);
});
