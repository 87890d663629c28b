// Gives the installations of every server one state, after a preview that counts paused and revoked grants separately.
import type { AccessChangeInput, BulkChange, BulkResult } from '@slipway/sdk/management';
import { type CommandSpec, list, option, required, unvalidated } from '../command.ts';
import { CommandError } from '../errors.ts';
import { printForecast } from '../forecast.ts';
import { printOne } from '../output.ts';
import { confirm, printTarget } from '../perform.ts';
import type { Session } from '../session.ts';

const COUNTS = ['changed', 'unchanged', 'impossible', 'excluded', 'deliveries'] as const;
const STATES = ['authorised', 'paused', 'revoked', 'absent'] as const;

/** The most servers of a forecast. */
const MAX_SERVERS = 1_000;

interface AppScope {
  organisationId: string;
  appId: string;
}

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
    if (call.common.isDryRun) {
      if (state !== 'authorised') await printForecast(call.io, session, grantsOf(session, at, change));
    } else {
      const preview = await changeAll(session.lookup, at, { ...change, isDryRun: true });
      call.io.err(`${previewOf(preview)}\n`);
      if (preview.changed > 0) await confirm(call, `Give ${preview.changed} the state ${change.state}?`);
    }
    printOne(call.io, await changeAll(session.api, at, change), call.form);
  },
};

/** Returns the access that a pause or a revocation takes away: that of the servers that would change. */
async function grantsOf(session: Session, at: AppScope, change: BulkChange): Promise<AccessChangeInput> {
  const { state, scopes, from } = change;
  // With a state before, the scopes that would change differ between the servers.
  if (from !== undefined && scopes !== undefined && scopes.length > 1)
    throw new CommandError('--from is given with several scopes.');
  const serverIds = new Set<string>();
  const { changed } = await changeAll(session.lookup, at, { ...change, isDryRun: true }, ({ serverId, outcome }) => {
    if (outcome === 'changed') serverIds.add(serverId);
  });
  if (changed === 0) throw new CommandError('no server would change.');
  if (serverIds.size > MAX_SERVERS) throw new CommandError(`more than ${MAX_SERVERS} servers would change.`);
  return unvalidated({ grants: { serverIds: [...serverIds], state, scopes } });
}

/** Changes every server, one page at a time. Returns the sum of the counts. */
async function changeAll(
  api: Session['api'],
  at: AppScope,
  change: BulkChange,
  onItem: (item: BulkResult['data'][number]) => void = () => {},
): Promise<Counts> {
  const sum: Counts = {
    ...{ changed: 0, unchanged: 0, impossible: 0, excluded: 0, deliveries: 0 },
    changedFrom: { authorised: 0, paused: 0, revoked: 0, absent: 0 },
  };
  let cursor: string | undefined;
  do {
    const part = await api.changeInstallations({ ...at, body: { ...change, ...(cursor !== undefined && { cursor }) } });
    for (const name of COUNTS) sum[name] += part[name];
    part.data.forEach(onItem);
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
