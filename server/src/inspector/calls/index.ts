// Calls of /v1 that a member makes with a key's id: the Console's API reference and replays of requests.
import { collectPathWords } from '../../kit/http/paths.ts';
import { createCall } from './create-call.ts';
import { replayRequest } from './replay-request.ts';

/** Creates the operations. `paths` are the paths of /v1. */
export function callOperations(paths: readonly string[]) {
  const words = collectPathWords(paths);
  return [createCall(words), replayRequest(words)];
}
