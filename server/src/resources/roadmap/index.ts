// The roadmap: the plans of communities, read by the app.
import { getRoadmapItem } from './get-roadmap-item.ts';
import { listRoadmap } from './list-roadmap.ts';

export const roadmapOperations = [listRoadmap, getRoadmapItem];
export { moveRoadmapItem, proposeRoadmapItem } from './live-roadmap.ts';
export { deleteRoadmapItems } from './live-store.ts';
export { exampleRoadmapItem, RoadmapItem, RoadmapItemContent, RoadmapItemMove, toRoadmapItem } from './roadmap-item.ts';
export { findRoadmapItem, insertRoadmapItems } from './store.ts';
export { syntheticRoadmap } from './synthetic-roadmap.ts';
