// The Console keeps its own table of labels for audit actions, because it does not import the server. This test keeps
// the table complete.
import { expect, test } from 'vitest';
import { readSources } from '../../../test/sources.ts';

test('the Console has a label for each action that the server writes to the audit log', () => {
  const sources = readSources();
  const words = sources.find(({ path }) => path === 'console/src/inspector/audit/audit-labels.ts')?.text ?? '';
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
