// Publications: what communities post, read by the app.
import { getPublication } from './get-publication.ts';
import { listPublications } from './list-publications.ts';

export const publicationOperations = [listPublications, getPublication];
export { insertPublications } from './store.ts';
export { type SyntheticPublication, syntheticPublications } from './synthetic-publications.ts';
