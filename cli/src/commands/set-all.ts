// Gives the installations of every server one state, after a preview that counts paused and revoked grants separately.
import type { BulkChange } from '@slipway/sdk/management';
import { type CommandSpec, list, option, required, unvalidated } from '../command.ts';
import { printOne } from '../output.ts';
import { confirm, printTarget } from '../perform.ts';
import type { Session } from '../session.ts';

const COUNTS = ['changed', 'unchanged', 'impossible', 'excluded', 'deliveries'] as const;
const STATES = ['authorised', 'paused', 'revoked', 'absent'] as const;

interface Counts extends Record<(typeof COUNTS)[number], number> {
  changedFrom: Record<(typeof STATES)[number], number>;
}

export const setAll: CommandSpec = {
  name: 'set-all',
  summary: 'set one state for every server, after a preview; revoked servers stay revoked unless you include them',
  example: 'installations set-all --state authorised --scopes tickets:create',
  options: [
    required('--state <state>', 'authorised, paused or revoked'),
    option('--scopes <scopes>', 'change these scopes, separated by commas, instead of the whole installation', list),
    option('--from <state>', 'change only servers or scopes in this state: authorised, paused, revoked or absent'),
    option('--include-revoked', 'also change servers or scopes that are revoked'),
    option('--reason <text>', 'the reason, for the history'),
    option('-y, --yes', 'skip the confirmation'),
  ],
  async run(call) {
    const { state, scopes, from, includeRevoked, reason } = call.options;
    const change = unvalidated<BulkChange>({ state, scopes, from, includeRevoked, reason });
    const session = await call.session();
    const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id };
    await printTarget(call, session, true);
    if (!call.common.isDryRun) {
      const preview = await changeAll(session.lookup, at, { ...change, isDryRun: true });
      call.io.err(`${previewOf(preview)}\n`);
      if (preview.changed > 0) await confirm(call, `Give ${preview.changed} the state ${change.state}?`);
    }
    printOne(call.io, await changeAll(session.api, at, change), call.form);
  },
};

/** Changes every server, one page at a time. Returns the sum of the counts. */
async function changeAll(
  api: Session['api'],
  at: { organisationId: string; appId: string },
  change: BulkChange,
): Promise<Counts> {
  const sum: Counts = {
    ...{ changed: 0, unchanged: 0, impossible: 0, excluded: 0, deliveries: 0 },
    changedFrom: { authorised: 0, paused: 0, revoked: 0, absent: 0 },
  };
  let cursor: string | undefined;
  do {
    const part = await api.changeInstallations({ ...at, body: { ...change, ...(cursor !== undefined && { cursor }) } });
    for (const name of COUNTS) sum[name] += part[name];
    for (const name of STATES) sum.changedFrom[name] += part.changedFrom[name];
    cursor = part.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return sum;
}

/** Returns `Changes 5 (3 paused, 2 revoked); 1 stays revoked; 2 cannot change.` */
function previewOf({ changed, changedFrom, excluded, impossible, deliveries }: Counts): string {
  const before = STATES.filter((state) => changedFrom[state] > 0).map((state) => `${changedFrom[state]} ${state}`);
  const parts = [
    `Changes ${changed}${before.length > 0 ? ` (${before.join(', ')})` : ''}`,
    excluded > 0 && `${excluded} ${excluded === 1 ? 'stays' : 'stay'} revoked without --include-revoked`,
    impossible > 0 && `${impossible} cannot have this state`,
    deliveries > 0 && `${deliveries} waiting ${deliveries === 1 ? 'delivery is' : 'deliveries are'} concerned`,
  ];
  return `${parts.filter((part) => part !== false).join('; ')}.`;
}
