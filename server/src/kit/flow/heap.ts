// How much garbage a process carries along.
import { setFlagsFromString } from 'node:v8';

/**
 * The old part of the heap is collected when it is twice what the last collection left. By itself V8 lets it grow to four times that on
 * a machine with much memory, and a worker under load to 200 MB more than it uses.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
