// Publications: posts of communities, read by the app.
import { publications } from '../../access/contracts/index.ts';
import { getOperation, listOperation } from '../objects/index.ts';

export const publicationOperations = [listOperation(publications), getOperation(publications)];
export {
  archiveOldest,
  archivePublication,
  editPublication,
  publishOnServer,
  publishPublication,
} from './live-publications.ts';
export { PublicationContent } from './publication.ts';
