// The checks of a fault, over all of its rounds.
import { median } from '../../bench/kit.ts';
import { atLeast, type Check, none } from '../kit.ts';
import type { Fault } from './faults.ts';
import type { CallKind } from './ledger.ts';
import type { Losses, Round } from './round.ts';

/** The ttl of Patroni, an election, the check of haproxy and a busy machine. */
const RECOVERED_MS = 60_000;
/** Fewer in a round prove nothing. */
const MIN_ASKED = 100;
const MIN_TICKETS = 20;
const MIN_DELIVERIES = 20;
const MIN_FORWARDED = 10;
const KINDS: Record<CallKind, string> = {
  read: 'reads are answered again',
  write: 'writes are acknowledged again',
  readiness: 'all processes are ready again',
};

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);

function withExamples(check: Check, examples: readonly string[]): Check {
  return check.ok ? check : { ...check, figure: `${check.figure}: ${examples.slice(0, 3).join('; ')}` };
}

/** Judges losses. `isDurable` is false if records may be lost. */
export function judgeLosses(
  title: string,
  all: readonly (Losses & { ledger: { tickets: unknown[]; revoked: unknown[]; requestIds: unknown[] } })[],
  isDurable: boolean,
): Check[] {
  const tickets = sum(all, ({ ledger }) => ledger.tickets.length);
  const revoked = sum(all, ({ ledger }) => ledger.revoked.length);
  const lost = (name: keyof Losses): string[] => all.flatMap((losses) => losses[name]);
  const check = (name: string, of: keyof Losses, total: string): Check =>
    withExamples(none(`${title}: ${name}`, lost(of).length, total), lost(of));
  const records = check(
    'answered requests without a record',
    'records',
    `${sum(all, ({ ledger }) => ledger.requestIds.length)}`,
  );
  return [
    check('acknowledged tickets lost', 'tickets', `${tickets}`),
    check('acknowledged revocations lost', 'revocations', `${revoked}`),
    isDurable ? records : { ...records, ok: true, figure: `${records.figure} (records are not durable)` },
    check('events that never arrived', 'events', `${tickets}`),
    check('tickets that were created twice', 'doubled', `${tickets}`),
  ];
}

function judgeTimes({ title, maxFailedShare }: Fault, rounds: readonly Round[]): Check[] {
  const kinds = Object.entries(KINDS) as [CallKind, string][]; // the keys of the table above
  const times = kinds.map(([kind, words]): Check => {
    const ms = rounds.map(({ recoveredMs }) => recoveredMs[kind]);
    const most = Math.max(...ms);
    return {
      name: `${title}: ${words}`,
      ok: most <= RECOVERED_MS,
      figure: `median ${(median(ms) / 1_000).toFixed(1)} s, max ${(most / 1_000).toFixed(1)} s (at most ${RECOVERED_MS / 1_000})`,
    };
  });
  if (maxFailedShare === undefined) return times;
  const failed = Math.max(...rounds.map(({ failedShare }) => failedShare));
  const limit = `at most ${maxFailedShare * 100} %`;
  const figure = `${(failed * 100).toFixed(2)} % in the worst round (${limit})`;
  return [...times, { name: `${title}: failed calls`, ok: failed <= maxFailedShare, figure }];
}

function judgeForwarding({ title }: Fault, rounds: readonly Round[]): Check[] {
  const made = sum(rounds, ({ forwarded }) => forwarded.made);
  const before = sum(rounds, ({ forwarded }) => forwarded.before);
  const check = (name: string, of: 'late' | 'doubled' | 'lost' | 'strange', total: string): Check => {
    const found = rounds.flatMap(({ forwarded }) => forwarded[of]);
    return withExamples(none(`${title}: ${name}`, found.length, total), found);
  };
  return [
    atLeast(`${title}: acknowledged changes through production`, made, MIN_FORWARDED * rounds.length, 'changes'),
    atLeast(`${title}: changes forwarded before access ended`, before, MIN_FORWARDED * rounds.length, 'changes'),
    check('changes forwarded after the response to the end of access', 'late', `${before} before it`),
    check('changes carried out twice', 'doubled', `${made}`),
    check('acknowledged changes lost', 'lost', `${made}`),
    check('answers of production without an explanation', 'strange', 'all answers'),
  ];
}

export function judgeFault(fault: Fault, rounds: readonly Round[], isDurable: boolean): Check[] {
  const { title } = fault;
  const accepted = rounds.flatMap(({ ledger }) => ledger.accepted);
  const asked = accepted.length + sum(rounds, ({ ledger }) => ledger.refused);
  const strange = rounds.flatMap(({ ledger }) => ledger.strange);
  const arrived = sum(rounds, ({ watched }) => watched.arrived);
  const late = rounds.flatMap(({ watched }) => watched.late);
  const ready = rounds.filter(({ isDirectReady }) => isDirectReady).length;
  return [
    atLeast(`${title}: answered requests with revoked keys`, asked, MIN_ASKED * rounds.length, 'requests'),
    atLeast(
      `${title}: acknowledged tickets`,
      sum(rounds, ({ ledger }) => ledger.tickets.length),
      MIN_TICKETS * rounds.length,
      'tickets',
    ),
    withExamples(
      none(`${title}: revoked keys accepted by any node`, accepted.length, `${asked} answered requests`),
      accepted.map(({ name, afterMs }) => `${name} after ${afterMs.toFixed(0)} ms`),
    ),
    atLeast(
      `${title}: deliveries through keys that were revoked later`,
      arrived - late.length,
      MIN_DELIVERIES * rounds.length,
      'deliveries',
    ),
    withExamples(none(`${title}: deliveries through revoked keys`, late.length, `${arrived} deliveries`), late),
    ...judgeForwarding(fault, rounds),
    ...judgeLosses(title, rounds, isDurable),
    withExamples(none(`${title}: answers without an explanation`, strange.length, 'all answers'), strange),
    ...(fault.isFailover
      ? [none(`${title}: a node whose server became a standby says that it is ready`, ready, `${rounds.length} rounds`)]
      : []),
    ...judgeTimes(fault, rounds),
  ];
}
