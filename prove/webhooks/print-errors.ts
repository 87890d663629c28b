// Parts that the processes of a proof share: a clock, and error output.
import { isUnavailable } from '../../server/src/kit/db/db.ts';

/** Returns milliseconds of a clock that all processes of a machine share. */
export const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const printedErrors = new Set<string>();

/** Prints each error once. Errors of an unreachable database are part of the proof. */
export function printErrorOnce(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (isUnavailable(error) || /cannot be reached/.test(text) || printedErrors.has(text)) return;
  printedErrors.add(text);
  console.error(`a process says: ${text}`);
}
