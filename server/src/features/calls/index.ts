// Calls of /v1 that a person makes with a key's id: what the Console's reference tries.
import { createCall } from './create-call.ts';

export const callOperations = [createCall];
