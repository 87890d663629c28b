// Captures: the headers and bodies of sandbox requests, sealed for a limited time under keys that are then destroyed.
import type { KnownOperation } from '../snippets/index.ts';
import { revealCapture } from './reveal-capture.ts';

/** Creates the operations. `operations` are the operations of /v1. */
export const captureOperations = (operations: readonly KnownOperation[]) => [revealCapture(operations)];
export type { BudgetLimits } from './byte-budget.ts';
export { type CaptureQueue, createCaptureQueue } from './capture-queue.ts';
export { createCaptures } from './captures.ts';
export { expireCaptures, startCaptureExpiry } from './expire-captures.job.ts';
export { collectSensitiveNames } from './sensitive-fields.ts';
