// Describes what a suspension or deletion of an app has stopped.
import { counted } from '../../kit/number.ts';

interface StopCounts {
  keys: number;
  deliveries: number;
  workflowRuns: number;
}

export function stoppedSentence({ keys, deliveries, workflowRuns }: StopCounts): string {
  const parts = [
    counted(keys, 'valid key'),
    counted(deliveries, 'delivery', 'deliveries'),
    counted(workflowRuns, 'workflow run'),
  ];
  return `Stopped: ${parts.join(', ')}.`;
}
