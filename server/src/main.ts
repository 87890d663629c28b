// `slipway-server`. The program is imported on demand: the import loads the contract of the process, and mistakes of the
// contract are printed like those of other settings.
import { printFailure } from './kit/telemetry/log.ts';
import { ForeseenError } from './kit/text/foreseen-error.ts';

try {
  const { runProgram } = await import('./commands/program.ts');
  await runProgram();
} catch (error) {
  printFailure(error instanceof ForeseenError ? `slipway: ${error.message}` : error);
  process.exitCode = 1;
}
