// Several apps at the same time, each with consecutive changes and its own readers.
import { progress } from '../../bench/kit.ts';
import { changesOf, type Load, measureChange, type Subject } from '../../server/test/access-changes.ts';
import { type History, summarise, violationsOf } from '../../server/test/linearizable.ts';
import type { Service } from './service.ts';

export interface ObservedChange extends History {
  kind: string;
  isDated: boolean;
  writtenAfter: number;
}

const PROGRESS_INTERVAL_MS = 10_000;
const WARM_UP = 20;

export async function runChangeSequences(
  service: Service,
  load: Load & { lanes: number; changes: number },
  isEnough: (seen: readonly ObservedChange[]) => boolean = () => false,
  prepare: (subject: Subject) => Promise<unknown> = async () => {},
): Promise<ObservedChange[]> {
  const seen: ObservedChange[] = [];
  let begun = 0;
  let toldAtMs = performance.now();

  function tell(): void {
    if (performance.now() - toldAtMs < PROGRESS_INTERVAL_MS) return;
    toldAtMs = performance.now();
    const sum = summarise(seen);
    progress(`${sum.changes} of ${load.changes} changes, ${sum.questions} requests, ${violationsOf(sum)} violations`);
  }

  async function lane(index: number): Promise<void> {
    const subject = await service.newSubject(index % load.nodes);
    await prepare(subject);
    for await (const change of service.changesOf(subject)) {
      if (begun++ >= load.changes || isEnough(seen)) return;
      const { kind, isDated } = change;
      seen.push({ kind, isDated, ...(await measureChange(subject, change, load)) });
      tell();
    }
  }

  await Promise.all(Array.from({ length: load.lanes }, (_, index) => lane(index)));
  return seen;
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
