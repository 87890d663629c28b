// A process that keeps a few megabytes and produces much garbage that grows old, like in-flight attempts. Prints the
// maximum size of its heap. `heap-growth.fixture.ts small` requests a small heap first.
import { limitHeapGrowth } from './heap-growth.ts';

if (process.argv[2] === 'small') limitHeapGrowth();

const LIVE = 40_000;
const kept: object[] = [];
const made = (at: number): object => ({ at, texts: Array.from({ length: 20 }, (_, index) => `${at} ${index}`) });
for (let at = 0; at < LIVE; at++) kept.push(made(at));
let most = 0;
for (let round = 0; round < 12; round++) {
  // Each new object replaces an object that has grown old.
  for (let at = 0; at < LIVE; at++) kept[at] = made(at + round);
  most = Math.max(most, process.memoryUsage().heapTotal);
}
console.log(Math.round(most / 2 ** 20));
