// An app: registered under an organisation in one environment; what keys, installations and endpoints belong to.
import { toId } from '../../kit/ids.ts';
import { closed, displayName, moment, named, oneOf, type Static, text } from '../../kit/schema.ts';
import { AppId, OrganisationId } from '../authority/index.ts';

const name = displayName('Its name.');

export const NewApp = named('NewApp', closed({ name }, { description: 'An app to register.' }));

export const App = named(
  'App',
  closed(
    {
      id: AppId,
      organisationId: OrganisationId,
      environment: oneOf(['sandbox', 'production'], 'Where the app lives; the two never meet.'),
      name,
      state: oneOf(['active', 'suspended'], 'A suspended app has no access at all.'),
      createdBy: text('Who registered it.', { maxLength: 320 }),
      createdAt: moment('When it was registered.'),
    },
    { description: 'An app of an organisation.' },
  ),
);
export type App = Static<typeof App>;

export interface AppRow {
  app_id: string;
  organisation_id: string;
  name: string;
  state: 'active' | 'suspended';
  created_by: string;
  created_at: Date;
}

export function toApp(row: AppRow, environment: App['environment']): App {
  return {
    id: toId('app', row.app_id),
    organisationId: toId('org', row.organisation_id),
    environment,
    name: row.name,
    state: row.state,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

export const exampleApp: App = {
  id: 'app_01j9z3v8k6e5t8m2n4p6q8r0s5',
  organisationId: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6',
  environment: 'sandbox',
  name: 'Ticket bridge',
  state: 'active',
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};
