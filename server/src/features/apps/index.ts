// Apps: registered under an organisation, the tenant of everything else.
import { createApp } from './create-app.ts';
import { getApp } from './get-app.ts';
import { listApps } from './list-apps.ts';

export const appOperations = [listApps, createApp, getApp];
export { insertApp } from './store.ts';
