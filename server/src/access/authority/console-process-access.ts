// Access for the Console's own process to all organisations. It requires an assertion that names no person, and no
// person's assertion is accepted instead.
import type { Transaction } from '../../kit/db/db.ts';
import type { Access, Incoming } from '../../kit/http/operation.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { isConsoleAssertion } from './assertion.ts';
import { readBearerToken } from './bearer.ts';
import type { Plane } from './plane.ts';
import { setConsoleAccess } from './process-access-store.ts';
import { requireOpenGate } from './restore-gate.ts';
import { requestScopeOf, unitOfWork } from './unit-of-work.ts';

interface ConsoleLinkContext {
  plane: Plane;
  tx: Transaction;
  headers: Incoming['headers'];
}

export function allowConsoleProcess({
  isServedWhileClosed = false,
  requestHeaders = {},
}: {
  isServedWhileClosed?: boolean;
  requestHeaders?: Readonly<Record<string, TSchema>>;
} = {}): Access<Plane, undefined, ConsoleLinkContext> {
  return {
    requestHeaders,
    security: 'assertion',
    summary: "The Console's own process.",
    problems: ['sign_in_required', 'unavailable', 'timeout'],
    async admit(incoming, plane) {
      const assertion = readBearerToken(incoming);
      const isConsole =
        assertion && (await isConsoleAssertion(assertion, plane.environment, plane.secrets.managementKey));
      if (!isConsole) throw problem('sign_in_required');
      return undefined;
    },
    enter: (_admitted, { incoming }, plane, run) =>
      unitOfWork(plane.db.manager, requestScopeOf(incoming), async ({ tx }) => {
        setConsoleAccess(tx);
        if (!isServedWhileClosed) await requireOpenGate(tx);
        return run({ plane, tx, headers: incoming.headers });
      }),
  };
}
