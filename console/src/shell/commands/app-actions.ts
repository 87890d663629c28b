// The actions of an app in the command palette: each leads to its page, and opens the dialog of the page if it has one.
import type { Action } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { NEW } from '../../kit/use-new-dialog.ts';
import type { AppSection } from '../../tenancy/apps/app-sections.ts';

interface AppAction {
  label: string;
  /** Further words that match the command. */
  words: string;
  /** A member needs a role that permits it. */
  action: Action;
  path: AppSection['path'];
  search?: { kind: 'ticket' };
  hash?: typeof NEW;
  isSandboxOnly?: boolean;
}

const ALL_ACTIONS: readonly AppAction[] = [
  {
    ...{ label: 'Generate a key', words: 'create new credential token', path: 'keys', hash: NEW },
    action: IS_PRODUCTION ? 'production_keys.create' : 'keys.create',
  },
  {
    ...{ label: 'Add an endpoint', words: 'create new webhook', path: 'webhooks', hash: NEW },
    action: 'endpoints.change',
  },
  {
    ...{ label: 'Create a ticket', words: 'new object', path: 'data', search: { kind: 'ticket' }, hash: NEW },
    ...{ action: 'world.change', isSandboxOnly: true },
  },
  {
    ...{ label: 'Trigger an event', words: 'send test', path: 'simulation' },
    ...{ action: 'world.change', isSandboxOnly: true },
  },
  {
    ...{ label: 'Pause or resume a server', words: 'installation grant scope', path: 'installations' },
    action: 'installations.change',
  },
];

export const APP_ACTIONS: readonly AppAction[] = ALL_ACTIONS.filter(
  ({ isSandboxOnly }) => !IS_PRODUCTION || !isSandboxOnly,
);
