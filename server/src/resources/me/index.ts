// Who is calling: what a key says of itself.
import { getMe } from './get-me.ts';

export const meOperations = [getMe];
