// Apps: registered under an organisation. An app is the tenant of all other data.
import { createApp } from './create-app.ts';
import { deleteApp } from './delete-app.ts';
import { getApp } from './get-app.ts';
import { listApps } from './list-apps.ts';
import { restoreApp } from './restore-app.ts';
import { resumeApp } from './resume-app.ts';
import { setLiveAccess } from './set-live-access.ts';
import { setOrganisationStatus } from './set-organisation-status.ts';
import { suspendApp } from './suspend-app.ts';
import { updateApp } from './update-app.ts';

export const appOperations = [listApps, getApp, updateApp, suspendApp, resumeApp, deleteApp, restoreApp];
/**
 * Returns the operation of the sandbox that creates an app. The caller passes the function that writes the initial
 * data.
 */
export const newAppOperations = (fill: Parameters<typeof createApp>[0]) => [createApp(fill)];
/** Operations that the Console's server calls for itself, without a member. */
export const organisationStatusOperations = [setOrganisationStatus];
/** Operations that the Console's server calls for itself, in production only. */
export const liveAccessUpdateOperations = [setLiveAccess];
export { eraseDueApps, startAppErasure } from './erase-apps.job.ts';
export { insertApp, updateSettings } from './store.ts';
export { suspendUnconfirmedOrganisation } from './suspend-unconfirmed.ts';
