// Limits how many requests are in flight to one host, with a queue for each speed of receivers.
import { monotonicMs } from '../flow/clock.ts';
import { createHostBudget, noCounts, type ReceiverSpeed, SLOW_AFTER_MS, type SpeedCounts } from './host-budget.ts';
import type { AbortSignalLike } from './light-abort.ts';

/** How fast the receiver of a request responds, and the callbacks about the request's slot. */
export interface SlotRequest {
  readonly speed: ReceiverSpeed;
  /** The request got its slot. */
  onEnter?(): void;
  /** The request has held its slot for SLOW_AFTER_MS and counts as slow from now on. */
  onSlow?(): void;
}

type Release = () => void;

interface SlotHolder {
  speed: keyof SpeedCounts;
  readonly pace: SlotRequest | undefined;
  readonly enteredAtMs: number;
}

interface Waiter {
  readonly pace: SlotRequest | undefined;
  enter(): void;
}

interface Host {
  readonly counts: SpeedCounts;
  readonly queues: Record<ReceiverSpeed, Set<Waiter>>;
  /** Holders that are not slow yet, the oldest first. */
  readonly ageing: Set<SlotHolder>;
  timer: NodeJS.Timeout | undefined;
}

const SPEEDS: readonly ReceiverSpeed[] = ['fast', 'unknown', 'slow'];

const speedOf = (pace: SlotRequest | undefined): ReceiverSpeed => pace?.speed ?? 'fast';

const isIdle = ({ counts, queues }: Host): boolean =>
  counts.hanging === 0 && SPEEDS.every((speed) => counts[speed] === 0 && queues[speed].size === 0);

/**
 * Allows at most `limit` holders per host, divided by createHostBudget. Each queue is in order of arrival. A wait ends
 * without a slot when its signal fires. A request without a pace counts as fast for as long as it lasts.
 */
export const createHostSlots = (limit: number) => {
  const budget = createHostBudget(limit);
  const hosts = new Map<string, Host>();
  /** The queue at which the next search begins, so that no queue starves. */
  let firstQueue = 0;

  function hostOf(key: string): Host {
    const known = hosts.get(key);
    if (known) return known;
    const queues = { fast: new Set<Waiter>(), unknown: new Set<Waiter>(), slow: new Set<Waiter>() };
    const made: Host = { counts: noCounts(), queues, ageing: new Set(), timer: undefined };
    hosts.set(key, made);
    return made;
  }

  function drop(key: string, host: Host): void {
    if (!isIdle(host)) return;
    clearTimeout(host.timer);
    hosts.delete(key);
  }

  /** Gives free slots to waiting requests. */
  function admit({ counts, queues }: Host): void {
    for (let refused = 0; refused < SPEEDS.length; firstQueue = (firstQueue + 1) % SPEEDS.length) {
      const speed = SPEEDS[firstQueue] ?? 'fast';
      const [next] = queues[speed];
      if (next !== undefined && budget.hasSlot(counts, speed)) {
        next.enter();
        refused = 0;
      } else refused += 1;
    }
  }

  function age(host: Host): void {
    const longAgoMs = monotonicMs() - SLOW_AFTER_MS;
    for (const holder of host.ageing) {
      if (holder.enteredAtMs > longAgoMs) break;
      host.ageing.delete(holder);
      host.counts[holder.speed] -= 1;
      holder.speed = 'hanging';
      host.counts.hanging += 1;
      holder.pace?.onSlow?.();
    }
    admit(host);
    watch(host);
  }

  /** One timer per host, for its oldest holder. */
  function watch(host: Host): void {
    const [oldest] = host.ageing;
    if (oldest === undefined || host.timer !== undefined) return;
    const inMs = Math.max(1, oldest.enteredAtMs + SLOW_AFTER_MS - monotonicMs());
    host.timer = setTimeout(() => {
      host.timer = undefined;
      age(host);
    }, inMs).unref();
  }

  function enter(key: string, host: Host, pace: SlotRequest | undefined): Release {
    const holder: SlotHolder = { speed: speedOf(pace), pace, enteredAtMs: monotonicMs() };
    host.counts[holder.speed] += 1;
    if (pace !== undefined && holder.speed !== 'slow') host.ageing.add(holder);
    watch(host);
    pace?.onEnter?.();
    return () => {
      host.ageing.delete(holder);
      host.counts[holder.speed] -= 1;
      admit(host);
      drop(key, host);
    };
  }

  return {
    /** Takes a slot; returns undefined if none is free. */
    take(key: string, pace?: SlotRequest): Release | undefined {
      const host = hostOf(key);
      if (budget.hasSlot(host.counts, speedOf(pace))) return enter(key, host, pace);
      return undefined;
    },
    wait(key: string, signal: AbortSignalLike, pace?: SlotRequest): Promise<Release | undefined> {
      const host = hostOf(key);
      const queue = host.queues[speedOf(pace)];
      return new Promise((resolve) => {
        const leave = () => {
          queue.delete(waiter);
          drop(key, host);
          resolve(undefined);
        };
        const waiter: Waiter = {
          pace,
          enter() {
            queue.delete(waiter);
            signal.removeEventListener('abort', leave);
            resolve(enter(key, host, pace));
          },
        };
        queue.add(waiter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
};
