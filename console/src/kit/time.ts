// Points in time as people say them, and exactly. The clock ticks for the whole page at once.
import { useSyncExternalStore } from 'react';

const TICK_MS = 5_000;
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

let nowMs = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function readNow(): number {
  // Nobody kept it while nobody looked.
  if (timer === undefined && Date.now() - nowMs > TICK_MS) nowMs = Date.now();
  return nowMs;
}

export function useNowMs(): number {
  const tickMs = useSyncExternalStore(subscribe, readNow, readNow);
  // What happened since the last tick is not in the future.
  return Math.max(tickMs, Date.now());
}

export function relativeTime(at: string, fromMs: number): string {
  const seconds = Math.round((new Date(at).getTime() - fromMs) / 1000);
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  if (Math.abs(seconds) < 10) return seconds > 0 ? 'in a moment' : 'just now';
  return relative.format(seconds, 'second');
}

export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const clockWithSeconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** As much of a point in time as tells it apart within a span. */
export function timeWithin(at: string, spanMs: number): string {
  const format = spanMs >= DAY_MS ? day : spanMs > HOUR_MS ? clock : clockWithSeconds;
  return format.format(new Date(at));
}

export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1_000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
