// Apps: registered under an organisation, the tenant of everything else.
import { createApp } from './create-app.ts';
import { deleteApp } from './delete-app.ts';
import { getApp } from './get-app.ts';
import { listApps } from './list-apps.ts';
import { restoreApp } from './restore-app.ts';
import { resumeApp } from './resume-app.ts';
import { setLiveAccess } from './set-live-access.ts';
import { setOrganisationStanding } from './set-organisation-standing.ts';
import { suspendApp } from './suspend-app.ts';
import { updateApp } from './update-app.ts';

export const appOperations = [listApps, getApp, updateApp, suspendApp, resumeApp, deleteApp, restoreApp];
/** In the sandbox alone: what a new app begins with is handed in. */
export const newAppOperations = (fill: Parameters<typeof createApp>[0]) => [createApp(fill)];
/** What the Console's server asks for itself: no member is forwarded to them. */
export const standingOperations = [setOrganisationStanding];
/** The same, in production alone. */
export const liveOperations = [setLiveAccess];
export { eraseDueApps, startErasing } from './erase-apps.job.ts';
export { insertApp } from './store.ts';
export { suspendUnconfirmed } from './suspend-unconfirmed.ts';
