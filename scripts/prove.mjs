// `npm run prove -- NAME [--json]`: runs prove/NAME.ts, which prints its checks and exits with code 1 if one fails.
import { runProgram } from './programs.mjs';

await runProgram('prove');
