// `slipway`, the developer's terminal: data on stdout, all else on stderr, on the SDK alone.
import { readSettings } from './config.ts';
import { EXIT } from './errors.ts';
import { processIo } from './process-io.ts';
import { run } from './run.ts';

// What is at work may end well after Ctrl-C, but not for long.
const GRACE_MS = 2_000;

const interruption = new AbortController();
process.on('SIGINT', () => {
  if (interruption.signal.aborted) process.exit(EXIT.interrupted);
  interruption.abort();
  setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
});
// Whoever reads has gone, as `head` does when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed));

process.exitCode = await run(process.argv.slice(2), processIo(interruption.signal), readSettings());
// Calls that are still open hold nobody up.
if (process.exitCode === EXIT.interrupted) process.exit();
