// Formats times relatively and exactly. One clock ticks for the whole page. Initial texts avoid `Intl`: its first
// format blocks a phone for about 50 ms.
import { useSyncExternalStore } from 'react';

const TICK_MS = 5_000;
const UNITS = [
  ['year', 31_557_600],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

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
  // No timer updates the clock without subscribers.
  if (timer === undefined && Date.now() - nowMs > TICK_MS) nowMs = Date.now();
  return nowMs;
}

export function useNowMs(): number {
  const tickMs = useSyncExternalStore(subscribe, readNow, readNow);
  // An event since the last tick is not in the future.
  return Math.max(tickMs, Date.now());
}

export function relativeTime(at: string, fromMs: number): string {
  const seconds = Math.round((new Date(at).getTime() - fromMs) / 1000);
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return formatDistance(Math.trunc(seconds / size), unit);
  }
  if (Math.abs(seconds) < 10) return seconds > 0 ? 'in a moment' : 'just now';
  return formatDistance(seconds, 'second');
}

function formatDistance(count: number, unit: string): string {
  if (unit === 'day' && Math.abs(count) === 1) return count > 0 ? 'tomorrow' : 'yesterday';
  const span = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
  return count > 0 ? `in ${span}` : `${span} ago`;
}

let exact: Intl.DateTimeFormat | undefined;

/** Returns the exact time with its zone. */
export function exactTime(at: string): string {
  exact ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
  return exact.format(new Date(at));
}

/** Returns the value of a local date and time input, to the second and without a zone; empty for no time. */
export function toLocalInput(at: string | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Returns the time of a local date and time input; undefined for an empty one. */
export const fromLocalInput = (value: string): string | undefined =>
  value === '' ? undefined : new Date(value).toISOString();

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Returns the part of a time that distinguishes it within a span. */
export function timeWithin(at: string, spanMs: number): string {
  const date = new Date(at);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  const clock = `${hours}:${minutes}`;
  if (spanMs >= DAY_MS) return `${date.getDate()} ${MONTHS[date.getMonth()]}, ${clock}`;
  return spanMs > HOUR_MS ? clock : `${clock}:${seconds}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1_000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
