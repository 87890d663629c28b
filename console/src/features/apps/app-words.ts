// What was stopped with an app, in words.
import { grouped } from '../../kit/number.ts';

interface Stopped {
  keys: number;
  deliveries: number;
  workflowRuns: number;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${grouped(number)} ${number === 1 ? one : many}`;

export function stoppedSentence({ keys, deliveries, workflowRuns }: Stopped): string {
  const parts = [
    count(keys, 'valid key'),
    count(deliveries, 'delivery', 'deliveries'),
    count(workflowRuns, 'workflow run'),
  ];
  return `Stopped: ${parts.join(', ')}.`;
}
