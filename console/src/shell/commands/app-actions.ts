// The actions of an app in the command palette. Each opens a dialog: over the current page, or on the page that lists the
// new object.
import type { Action } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import type { AppSection } from '../../tenancy/apps/app-sections.ts';
import type { PaletteDialog } from './command.ts';

interface AppAction {
  label: string;
  /** Further words that match the command. */
  words: string;
  /** A member needs a role that permits it. */
  action: Action;
  opens: PaletteDialog | { path: AppSection['path']; search?: { kind: 'ticket' } };
  isSandboxOnly?: boolean;
}

const CREATE_TICKET: AppAction = {
  ...{ label: 'Create a ticket', words: 'new object', opens: { path: 'data', search: { kind: 'ticket' } } },
  ...{ action: 'world.change', isSandboxOnly: true },
};

const ALL_ACTIONS: readonly AppAction[] = [
  {
    ...{ label: 'Generate a key', words: 'create new credential token', opens: { path: 'keys' } },
    action: IS_PRODUCTION ? 'production_keys.create' : 'keys.create',
  },
  {
    ...{ label: 'Add an endpoint', words: 'create new webhook', opens: { path: 'webhooks' } },
    action: 'endpoints.change',
  },
  ...(OWN_CONTRACT ? [] : [CREATE_TICKET]),
  {
    ...{ label: 'Trigger an event', words: 'send test ping', opens: 'trigger-event' },
    ...{ action: 'world.change', isSandboxOnly: true },
  },
  {
    ...{ label: 'Pause or resume a server', words: 'installation grant', opens: 'change-server' },
    action: 'installations.change',
  },
];

export const APP_ACTIONS: readonly AppAction[] = ALL_ACTIONS.filter(
  ({ isSandboxOnly }) => !IS_PRODUCTION || !isSandboxOnly,
);
