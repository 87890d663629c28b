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
const MIN_RELEASED = 20;
const MIN_DIRECT = 5;
/** The directly connected node and worker. */
const DIRECT_PROCESSES = 2;
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
  if (maxFailedShare === undefined) {
    // A fault that no call noticed was none.
    const unnoticed = rounds.filter(({ failed }) => failed === 0).length;
    return [...times, none(`${title}: rounds without a failed call`, unnoticed, `${rounds.length} rounds`)];
  }
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
    atLeast(
      `${title}: answers of the directly connected node of production after access ended`,
      sum(rounds, ({ forwarded }) => forwarded.answeredAfter),
      rounds.length,
      'answers',
    ),
    check('changes forwarded after the response to the end of access', 'late', `${before} before it`),
    check('changes carried out twice', 'doubled', `${made}`),
    check('acknowledged changes lost', 'lost', `${made}`),
    check('answers of production without an explanation', 'strange', 'all answers'),
  ];
}

/** Judges the node and the worker that stay connected to the previous primary. */
function judgeDirect({ title, isFailover, continuePrimary }: Fault, rounds: readonly Round[]): Check[] {
  if (!isFailover) return [];
  const readiness = rounds.flatMap(({ directReadiness }) => directReadiness);
  const refused = readiness.filter((status) => status === 503);
  const checks = [
    atLeast(
      `${title}: answers of the directly connected node to revoked keys after the failover`,
      sum(rounds, ({ directCalls }) => directCalls),
      MIN_DIRECT * rounds.length,
      'answers',
    ),
    {
      name: `${title}: processes whose server became a standby say that they are not ready`,
      ok: refused.length === readiness.length && readiness.length === DIRECT_PROCESSES * rounds.length,
      figure: `${refused.length} of ${DIRECT_PROCESSES * rounds.length}`,
    },
  ];
  if (!continuePrimary) return checks;
  const released = atLeast(
    `${title}: due deliveries that the previous primary released after the revocations`,
    Math.min(...rounds.map((round) => round.released)),
    MIN_RELEASED,
    'deliveries in each round',
  );
  return [...checks, released];
}

export function judgeFault(fault: Fault, rounds: readonly Round[], isDurable: boolean): Check[] {
  const { title } = fault;
  const accepted = rounds.flatMap(({ ledger }) => ledger.accepted);
  const asked = accepted.length + sum(rounds, ({ ledger }) => ledger.refused);
  const strange = rounds.flatMap(({ ledger }) => ledger.strange);
  const arrived = sum(rounds, ({ watched }) => watched.arrived);
  const late = rounds.flatMap(({ watched }) => watched.late);
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
    ...judgeDirect(fault, rounds),
    ...judgeTimes(fault, rounds),
  ];
}
