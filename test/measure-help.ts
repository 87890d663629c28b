// Measures the processor time of the command line's help.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './slipway.ts';

const PRINT_CPU_TIME =
  "process.on('exit',()=>{const{user,system}=process.cpuUsage();console.error((user+system)/1000)})";

/** Returns the processor time of several runs in milliseconds. Throws if the help is not printed. */
export async function measureHelpMs(times: number): Promise<number[]> {
  const env = { ...process.env, NODE_OPTIONS: `--import data:text/javascript,${PRINT_CPU_TIME}` };
  const tookMs: number[] = [];
  for (let time = 0; time < times; time++) {
    const help = await promisify(execFile)(process.execPath, ['cli/bin/slipway.mjs', '--help'], { cwd: root, env });
    if (!help.stdout.includes('Usage: slipway')) throw new Error(`slipway --help printed ${help.stdout}`);
    tookMs.push(Number(help.stderr));
  }
  return tookMs;
}
