import { findNewestChainHead, hasChainHead } from '../../access/audit/index.ts';
import { allowConsoleProcess, setOrganisation } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { suspendUnconfirmedOrganisation } from '../../tenancy/apps/index.ts';
import { ExtendedLease, exampleExtended, exampleLease, StatusLease } from './lease.ts';
import { closeGate, extendLease, lockLeaseState, setConsoleHead } from './lease-store.ts';
import { toHead } from './to-head.ts';

export const extendStatusLease = operation({
  id: 'extendStatusLease',
  route: 'PUT /console/status-lease',
  tag: 'Apps',
  summary: 'Extend the lease on the status of organisations',
  description:
    'Used by the Console’s process. While the lease runs, the environment relies on the status that it knows of each organisation. An organisation whose status stays unconfirmed for longer than the lease is suspended here first. The response and the next request carry audit entries that the other side remembers. A side that lacks such an entry was restored from a backup, and closes itself.',
  access: allowConsoleProcess({ isServedWhileClosed: true }),
  body: StatusLease,
  examples: { first: exampleLease },
  replies: ok('The state of the lease.', ExtendedLease, { aFirst: exampleExtended }),
  async run({ plane, tx }, { body }) {
    for (const { organisationId, forSeconds } of body.unconfirmed) {
      const id = fromId('org', organisationId);
      if (id !== undefined && forSeconds >= plane.statusLeaseSeconds) await suspendUnconfirmedOrganisation(plane, id);
    }
    const state = await lockLeaseState(tx);
    const head = await findNewestChainHead(tx);
    const isKnown = body.restoreEpoch === state.restore_epoch;
    let isOpen = state.closed_because === null;
    if (isOpen && isKnown && body.remembered) {
      const remembered = toHead(body.remembered);
      setOrganisation(tx, remembered.organisationId);
      if (!(await hasChainHead(tx, remembered))) {
        await closeGate(tx);
        isOpen = false;
      }
    }
    const isExtended = isOpen && isKnown;
    if (isExtended) await extendLease(tx, plane.statusLeaseSeconds);
    // If the Console was reopened since, the remembered head is no evidence.
    const stored = state.console_head?.consoleEpoch === body.consoleEpoch ? state.console_head : null;
    if (!stored || stored.head.hash === body.checkedHash)
      await setConsoleHead(tx, body.head && { consoleEpoch: body.consoleEpoch, head: body.head });
    return {
      status: 200,
      body: {
        isExtended,
        restoreEpoch: state.restore_epoch,
        head: head ? { ...head, organisationId: toId('org', head.organisationId) } : null,
        remembered: stored?.head ?? null,
      },
    };
  },
});
