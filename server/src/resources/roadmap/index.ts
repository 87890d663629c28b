// The roadmap: the plans of communities, read by the app.
import { roadmapItems } from '../../access/contracts/index.ts';
import { getOperation, listOperation } from '../objects/index.ts';

export const roadmapOperations = [listOperation(roadmapItems), getOperation(roadmapItems)];
export { moveRoadmapItem, proposeRoadmapItem } from './live-roadmap.ts';
export { RoadmapItemContent, RoadmapItemMove } from './roadmap-item.ts';
