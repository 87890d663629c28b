// Converts an error into lines for stderr and an exit code.
import { SlipwayConnectionError, SlipwayProblem } from '@slipway/sdk';
import type { CommandSpec } from './command.ts';
import { CommandError, DryRunSignal, EXIT, type Peer } from './errors.ts';
import { findInputSource } from './input-source.ts';
import { escapeText } from './text.ts';

// Code that the SDK gives to a response that is not a problem of Slipway, for example of a proxy.
const UNKNOWN = 'unknown';

/** Returns exit code and lines of an error. `spec` is the typed command, if the command line was understood so far. */
export function toExit(error: unknown, peer: Peer | undefined, spec?: CommandSpec): { code: number; lines: string[] } {
  if (isDryRun(error)) return { code: 0, lines: [] };
  if (error instanceof CommandError) return { code: error.code, lines: [error.message] };
  if (error instanceof SlipwayProblem && error.code !== UNKNOWN) return ofProblem(error, spec);
  const reason = error instanceof Error ? error.message : String(error);
  // The SDK's client throws any other error only if it received no response that it could read.
  const message = peer ? `no answer from ${peer.name} at ${peer.url} (${reason}); ${peer.fix}` : reason;
  const isLocalFailure = peer === undefined && !(error instanceof SlipwayConnectionError);
  return { code: isLocalFailure ? EXIT.failed : EXIT.noAnswer, lines: [escapeText(message)] };
}

type Part = SlipwayProblem['errors'][number];

function lineOf({ pointer, detail }: Part, spec: CommandSpec | undefined): string {
  const typed = findInputSource(spec, pointer);
  const list = typed?.listedBy !== undefined && detail === 'is required' ? ` (\`${typed.listedBy}\` lists them)` : '';
  const name = typed?.name ?? (pointer || '(body)');
  // A detail is the rest of a sentence that begins with the name, or a sentence of its own.
  return `  ${name}${/^[A-Z]/.test(detail) ? ':' : ''} ${detail}${list}`;
}

function ofProblem(problem: SlipwayProblem, spec: CommandSpec | undefined): { code: number; lines: string[] } {
  const parts = problem.errors.map((part) => lineOf(part, spec));
  const wait = problem.retryAfter === undefined ? [] : [`  Try again in ${Math.ceil(problem.retryAfter)} s.`];
  const { title, code, requestId } = problem;
  // The detail refers programs to `errors`, which the next lines print.
  const isExplainedBelow = code === 'invalid_request' && parts.length > 0;
  const summary = isExplainedBelow ? `${title} (${code}, ${requestId}):` : problem.message;
  const lines = [summary, ...parts, ...wait, `  ${problem.type}`].map(escapeText);
  const codes: Readonly<Record<number, number>> = { 401: EXIT.authentication, 429: EXIT.rateLimited };
  return { code: codes[problem.status] ?? EXIT.failed, lines };
}

// The SDK's client keeps the error of its `fetch` as the cause.
export const isDryRun = (error: unknown): boolean =>
  error instanceof DryRunSignal || (error instanceof Error && error.cause instanceof DryRunSignal);
