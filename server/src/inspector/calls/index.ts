// Calls of /v1 that a person makes with a key's id: what the Console's reference tries, and requests once more.
import { wordsOf } from '../../kit/http/paths.ts';
import { createCall } from './create-call.ts';
import { replayRequest } from './replay-request.ts';

/** `paths`: those of /v1. */
export function callOperations(paths: readonly string[]) {
  const words = wordsOf(paths);
  return [createCall(words), replayRequest(words)];
}
