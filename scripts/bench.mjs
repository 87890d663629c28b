// `npm run bench -- NAME [--json]`: runs bench/NAME.ts. Builds only the script itself.
import { runProgram } from './programs.mjs';

await runProgram('bench');
