// Production: a restriction of the organisation is linearizable on three nodes while the upstream API states grants
// concurrently, also for events with a resource. The check detects a wrong trigger, a wrong management API and apps
// whose events are judged by events:read only.
import pg from 'pg';
import { progress, temporaryFolder } from '../../bench/kit.ts';
import { startBenchDatabase } from '../../bench/world.ts';
import { claimDatabase } from '../../server/src/boot/provision.ts';
import type { Subject } from '../../server/test/access-changes.ts';
import { summarise, violationsOf } from '../../server/test/linearizable.ts';
import { judgeByEventsReadOnly } from '../../server/test/publication-event.ts';
import { startReferenceUpstream } from '../../server/test/reference-upstream.ts';
import { breakTrigger } from '../../server/test/wrong-triggers.ts';
import { atLeast, type Check, none } from '../kit.ts';
import { type ObservedChange, runChangeSequences } from './change-sequences.ts';
import { EARLY_RESPONSE } from './early-responder.ts';
import { NODES, type Service, startService } from './service.ts';

const READERS = 4 * NODES;
const LIFTS = 'lets a statement lift the restriction';
const MUTANT_CHANGES = 100;
/** Minimum number of violations that a mutant must cause, so that they are no coincidence. */
const MUTANT_VIOLATIONS = 10;

export async function proveRestrictions(size: {
  sequences: number;
  changes: number;
  questions: number;
}): Promise<Check[]> {
  const folder = await temporaryFolder();
  const database = await startBenchDatabase(folder.path);
  const upstream = await startReferenceUpstream({ servers: 2 });
  const superuser = new pg.Client(database.superuserUrl);
  const checks: Check[] = [];
  try {
    await superuser.connect();
    await claimDatabase(database.url, 'production');
    progress(`production: ${NODES} nodes and a worker on one Postgres, and an upstream API`);
    const everyNode = Array.from({ length: NODES }, () => database.url);
    const start = (options: { wrong?: string; worker?: boolean }) =>
      startService(everyNode, database.superuserUrl, { upstream, ...options });
    const service = await start({ worker: true });
    try {
      checks.push(
        ...judge(await runChangeSequences(service, { ...size, nodes: NODES, readers: READERS }), size.changes),
      );
      const query: Parameters<typeof breakTrigger>[0] = async (text, values) =>
        (await superuser.query(text, values)).rows;
      const restore = await breakTrigger(query, LIFTS);
      checks.push(await checkDetection(service, `a trigger that ${LIFTS}`, size).finally(restore));
      const earlier = 'a service that judges events by events:read only';
      checks.push(await checkDetection(service, earlier, size, judgeByEventsReadOnly));
    } finally {
      await service.stop();
    }
    const hasty = await start({ wrong: EARLY_RESPONSE });
    checks.push(
      await checkDetection(hasty, `a management API that ${EARLY_RESPONSE}`, size).finally(() => hasty.stop()),
    );
  } finally {
    await superuser.end();
    await upstream.close();
    await database.stop();
    await folder.remove();
  }
  return checks;
}

async function checkDetection(
  service: Service,
  wrong: string,
  { questions }: { questions: number },
  prepare?: (subject: Subject) => Promise<unknown>,
): Promise<Check> {
  progress(`production: ${wrong}`);
  const violations = (all: readonly ObservedChange[]): number => violationsOf(summarise(all));
  const load = { sequences: 1, changes: MUTANT_CHANGES, nodes: NODES, readers: READERS, questions };
  const observed = await runChangeSequences(service, load, (all) => violations(all) >= MUTANT_VIOLATIONS, prepare);
  return atLeast(`production: detected: ${wrong}`, violations(observed), MUTANT_VIOLATIONS, 'violations');
}

function judge(observed: readonly ObservedChange[], changes: number): Check[] {
  const sum = summarise(observed);
  const reached = observed.reduce((all, { writtenAfter }) => all + writtenAfter, 0);
  const requests = `${sum.questions} requests`;
  return [
    atLeast(
      'production: changes of access',
      sum.changes,
      changes,
      `changes of ${new Set(observed.map(({ kind }) => kind)).size} kinds`,
    ),
    none(
      'production: answered with the old access after the response to the change',
      sum.late,
      `${sum.begunAfter} begun after a response`,
    ),
    none('production: answered with the new access before the change was requested', sum.early, requests),
    none('production: answered with the old access after another response had the new access', sum.backwards, requests),
    none(
      'production: mutations that reached the upstream API after the response to the change',
      reached,
      `${sum.changes} changes`,
    ),
    atLeast('production: correctly answered with the old access', sum.before, (changes * READERS) / 4, 'requests'),
  ];
}
