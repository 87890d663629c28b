// What the command line's help costs, which everybody reads first.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './slipway.ts';

const TELL = "process.on('exit',()=>{const{user,system}=process.cpuUsage();console.error((user+system)/1000)})";

/** Of a processor, in milliseconds, one time after the other; throws when it does not tell. */
export async function helpsProcessorMs(times: number): Promise<number[]> {
  const env = { ...process.env, NODE_OPTIONS: `--import data:text/javascript,${TELL}` };
  const tookMs: number[] = [];
  for (let time = 0; time < times; time++) {
    const help = await promisify(execFile)(process.execPath, ['cli/bin/slipway.mjs', '--help'], { cwd: root, env });
    if (!help.stdout.includes('Usage: slipway')) throw new Error(`It tells ${help.stdout}`);
    tookMs.push(Number(help.stderr));
  }
  return tookMs;
}
