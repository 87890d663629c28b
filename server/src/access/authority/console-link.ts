// Access for the Console's own process to all organisations. It requires an assertion that names no person, and no
// person's assertion is accepted instead.
import type { Transaction } from '../../kit/db/db.ts';
import type { Access, Incoming } from '../../kit/http/operation.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { isConsoleAssertion } from './assertion.ts';
import { bearerOf } from './bearer.ts';
import { requireOpen } from './gate.ts';
import type { Plane } from './plane.ts';
import { setConsoleAsks } from './unasked-store.ts';

interface LinkContext {
  plane: Plane;
  tx: Transaction;
  headers: Incoming['headers'];
}

interface LinkOptions {
  isServedWhileClosed?: boolean;
  requestHeaders?: Readonly<Record<string, TSchema>>;
}

export function asConsole({
  isServedWhileClosed = false,
  requestHeaders = {},
}: LinkOptions = {}): Access<Plane, undefined, LinkContext> {
  return {
    requestHeaders,
    security: 'assertion',
    summary: "The Console's own process.",
    problems: ['sign_in_required', 'unavailable', 'timeout'],
    async admit(incoming, plane) {
      const assertion = bearerOf(incoming);
      const isConsole = assertion && (await isConsoleAssertion(assertion, plane.environment, plane.managementKey));
      if (!isConsole) throw problem('sign_in_required');
      return undefined;
    },
    enter: (_admitted, { incoming: { headers } }, plane, run) =>
      plane.db.manager.transaction(async (tx) => {
        setConsoleAsks(tx);
        if (!isServedWhileClosed) await requireOpen(tx);
        return run({ plane, tx, headers });
      }),
  };
}
