import { allowConsoleProcess } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { listFailureRows } from './store.ts';
import { exampleFailures, toUpstreamFailure, UpstreamFailureList } from './upstream-failure.ts';

const MAX_FAILURES = 100;

/** Serves an operator whom the Console has authenticated. */
export const pullUpstreamFailures = operation({
  id: 'pullUpstreamFailures',
  route: 'GET /console/upstream-failures',
  tag: 'Requests',
  summary: 'List failures of the upstream API',
  description: 'Lists the newest failures for the Console, at most 100.',
  access: allowConsoleProcess(),
  replies: ok('Failures.', UpstreamFailureList, { some: exampleFailures }),
  async run({ tx }) {
    const rows = await listFailureRows(tx, MAX_FAILURES);
    return { status: 200, body: { data: rows.map(toUpstreamFailure) } };
  },
});
