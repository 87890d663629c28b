// The objects of an app's sandbox data, as a member browses them. Sandbox only.
import { getWorldObject } from './get-world-object.ts';
import { listWorldObjects } from './list-world-objects.ts';

export const objectOperations = [listWorldObjects, getWorldObject];
