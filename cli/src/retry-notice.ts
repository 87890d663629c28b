// Prints a line on stderr before the SDK repeats a failed call, so that a wait of up to a minute is not silent.
import { type Retry, SlipwayProblem } from '@slipway/sdk';
import type { Io } from './io.ts';
import { escapeText } from './text.ts';

const SILENT_MS = 1_000;

/**
 * Prints `503 unavailable; waiting 60 s, attempt 2 of 3`, on a terminal and in a pipe. A wait of less than a second
 * prints no line.
 */
export const retryNotice =
  (io: Io) =>
  ({ error, waitMs, attempt, maxAttempts }: Retry): void => {
    if (waitMs < SILENT_MS) return;
    const fault = error instanceof SlipwayProblem ? `${error.status} ${error.code}` : 'no answer';
    const seconds = Math.ceil(waitMs / 1000);
    io.err(`${escapeText(fault)}; waiting ${seconds} s, attempt ${attempt} of ${maxAttempts}\n`);
  };
