// A process that keeps a few megabytes and makes much garbage that grows old, as attempts on their way do: prints the most that its
// heap took. `heap.fixture.ts small` asks for a small one before.
import { keepHeapSmall } from './heap.ts';

if (process.argv[2] === 'small') keepHeapSmall();

const LIVE = 40_000;
const kept: object[] = [];
const made = (at: number): object => ({ at, texts: Array.from({ length: 20 }, (_, index) => `${at} ${index}`) });
for (let at = 0; at < LIVE; at++) kept.push(made(at));
let most = 0;
for (let round = 0; round < 12; round++) {
  // Each takes the place of one that has grown old.
  for (let at = 0; at < LIVE; at++) kept[at] = made(at + round);
  most = Math.max(most, process.memoryUsage().heapTotal);
}
console.log(Math.round(most / 2 ** 20));
