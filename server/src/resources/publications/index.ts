// Publications: posts of communities, read by the app.
import { getPublication } from './get-publication.ts';
import { listPublications } from './list-publications.ts';

export const publicationOperations = [listPublications, getPublication];
export {
  archiveOldest,
  archivePublication,
  editPublication,
  publishOnServer,
  publishPublication,
} from './live-publications.ts';
export { deletePublications } from './live-store.ts';
export { examplePublication, Publication, PublicationContent, toPublication } from './publication.ts';
export { findPublication, insertPublications } from './store.ts';
export { syntheticPublications } from './synthetic-publications.ts';
