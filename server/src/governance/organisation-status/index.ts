// The status and the quotas of organisations, reported to every environment until it has confirmed them; the deletion
// of organisations, and the export of their data.
import { deleteOrganisation } from './delete-organisation.ts';
import { exportOrganisation } from './export-organisation.ts';
import { getOrganisationDeletion } from './get-organisation-deletion.ts';
import { restoreOrganisation } from './restore-organisation.ts';

export const organisationDeletionOperations = [
  deleteOrganisation,
  restoreOrganisation,
  getOrganisationDeletion,
  exportOrganisation,
];
export { type OrganisationStatusServices, reportOrganisationStatus } from './report-organisation-status.ts';
export { reportOrganisationStatuses, startOrganisationStatusReports } from './report-organisation-statuses.job.ts';
