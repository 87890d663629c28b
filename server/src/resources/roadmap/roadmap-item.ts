// A roadmap item as the store reads it.
import { roadmapItems } from '../../access/contracts/index.ts';
import { type Static, strictObject, Type } from '../../kit/http/schema.ts';
import { objectReader, type RowOf } from '../objects/index.ts';

export const RoadmapItem = roadmapItems.schema;
export type RoadmapItem = Static<typeof RoadmapItem>;

const { title, description, status } = roadmapItems.fields;
/** The fields that a member may set when proposing an item. */
export const RoadmapItemContent = Type.Partial(strictObject({ title, description }));
export type RoadmapItemContent = Static<typeof RoadmapItemContent>;
/** The status to which a member may move an item. */
export const RoadmapItemMove = Type.Partial(strictObject({ status }));
export type RoadmapItemMove = Static<typeof RoadmapItemMove>;

export type RoadmapItemRow = RowOf<typeof roadmapItems>;

export const toRoadmapItem: (row: RoadmapItemRow) => RoadmapItem = objectReader(roadmapItems);
