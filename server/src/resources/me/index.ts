// The caller: the properties of the key that authenticates a request.
import { getMe } from './get-me.ts';

export const meOperations = [getMe];
