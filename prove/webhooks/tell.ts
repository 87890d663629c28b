// What the processes of a proof share: a clock, and a way to say what is wrong.
import { isUnavailable } from '../../server/src/kit/db/db.ts';

/** All processes of a machine have the same. */
export const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const told = new Set<string>();

/** Each thing once. That the database is gone is part of the proof. */
export function tellOnce(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (isUnavailable(error) || /cannot be reached/.test(text) || told.has(text)) return;
  told.add(text);
  console.error(`a process says: ${text}`);
}
