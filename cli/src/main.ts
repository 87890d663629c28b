// Entry point of `slipway`. Data goes to stdout, messages go to stderr. All calls use the SDK.
import { readSettings } from './config.ts';
import { EXIT } from './errors.ts';
import { processIo } from './process-io.ts';
import { run } from './run.ts';

// After Ctrl-C or SIGTERM, a running command has this time to finish, unless it called `holdExit`.
const GRACE_MS = 2_000;

const interruption = new AbortController();
let isExitHeld = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    interruption.abort();
    if (!isExitHeld) setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  });
}
// The reader closed the pipe, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed));

const io = processIo(interruption.signal, () => {
  isExitHeld = true;
});
process.exitCode = await run(process.argv.slice(2), io, readSettings());
// Open calls must not delay the exit.
if (process.exitCode === EXIT.interrupted) process.exit();
