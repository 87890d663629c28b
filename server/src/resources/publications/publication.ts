// A publication as the store reads it.
import { publications } from '../../access/contracts/index.ts';
import { type Static, strictObject, Type } from '../../kit/http/schema.ts';
import { objectReader, type RowOf } from '../objects/index.ts';

export const Publication = publications.schema;
export type Publication = Static<typeof Publication>;

const { title, bodyMarkdown, tags } = publications.fields;
/** The fields that a member may set when a publication is published or changed. */
export const PublicationContent = Type.Partial(strictObject({ title, bodyMarkdown, tags }));
export type PublicationContent = Static<typeof PublicationContent>;

export type PublicationRow = RowOf<typeof publications>;

export const toPublication: (row: PublicationRow) => Publication = objectReader(publications);
