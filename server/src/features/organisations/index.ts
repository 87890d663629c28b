// Organisations: own apps, and have members in roles.
import { createOrganisation } from './create-organisation.ts';

export const organisationOperations = [createOrganisation];
export { insertOrganisation } from './store.ts';
