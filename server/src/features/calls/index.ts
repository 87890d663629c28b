// Calls of /v1 that a person makes with a key's id: what the Console's reference tries, and requests once more.
import { createCall } from './create-call.ts';
import { replayRequest } from './replay-request.ts';

export const callOperations = [createCall, replayRequest];
