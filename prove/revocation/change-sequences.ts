// Several apps at the same time, each with consecutive changes and its own readers.
import { progress } from '../../bench/kit.ts';
import { type Change, changesOf, type Load, measureChange, type Subject } from '../../server/test/access-changes.ts';
import { type AccessHistory, summarise, violationsOf } from '../../server/test/linearizable.ts';
import type { Service } from './service.ts';

export interface ObservedChange extends AccessHistory {
  kind: string;
  isDated: boolean;
  writtenAfter: number;
  /**
   * The duration of a simultaneous rename through the same node, which changes no access; undefined if not measured.
   */
  referenceMs: number | undefined;
}

export interface ChangeLoad extends Load {
  sequences: number;
  changes: number;
  /** True to rename an app of another organisation at the time of each change. */
  isReferenced?: boolean;
}

const PROGRESS_INTERVAL_MS = 10_000;
const WARM_UP = 20;

export async function runChangeSequences(
  service: Service,
  load: ChangeLoad,
  isEnough: (observed: readonly ObservedChange[]) => boolean = () => false,
  prepare: (subject: Subject) => Promise<unknown> = async () => {},
): Promise<ObservedChange[]> {
  const observed: ObservedChange[] = [];
  let begun = 0;
  let reportedAtMs = performance.now();

  function reportProgress(): void {
    if (performance.now() - reportedAtMs < PROGRESS_INTERVAL_MS) return;
    reportedAtMs = performance.now();
    const sum = summarise(observed);
    progress(`${sum.changes} of ${load.changes} changes, ${sum.questions} requests, ${violationsOf(sum)} violations`);
  }

  async function runSequence(index: number): Promise<void> {
    const subject = await service.newSubject(index % load.nodes);
    const bystander = load.isReferenced ? await service.newSubject(index % load.nodes) : undefined;
    await prepare(subject);
    for await (const change of service.changesOf(subject)) {
      if (begun++ >= load.changes || isEnough(observed)) return;
      const { kind, isDated } = change;
      let referenceMs: Promise<number> | undefined;
      const make = (): ReturnType<Change['make']> => {
        if (bystander && !isDated) referenceMs = timeRename(bystander);
        return change.make();
      };
      const measured = await measureChange(subject, { ...change, make }, load);
      observed.push({ kind, isDated, referenceMs: await referenceMs, ...measured });
      reportProgress();
    }
  }

  await Promise.all(Array.from({ length: load.sequences }, (_, index) => runSequence(index)));
  return observed;
}

/** Returns the milliseconds that it takes to rename the app, which changes no access. */
async function timeRename({ testEnvironment, appId }: Subject): Promise<number> {
  const beganMs = performance.now();
  await testEnvironment.manage('PATCH', `/apps/${appId}`, { name: `Proof ${Math.round(beganMs)}` });
  return performance.now() - beganMs;
}

/** Returns the times of revoking a key without other load. */
export async function idleAnswers(service: Service, count: number): Promise<number[]> {
  const subject = await service.newSubject();
  const tookMs: number[] = [];
  for await (const { kind, isDated, make } of changesOf(subject)) {
    if (tookMs.length === count + WARM_UP) break;
    if (isDated) continue;
    const beganMs = performance.now();
    await make();
    if (kind === 'a key is revoked') tookMs.push(performance.now() - beganMs);
  }
  return tookMs.slice(WARM_UP);
}
