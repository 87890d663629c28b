// An app: registered under an organisation in one environment. Keys, installations and endpoints belong to an app.

import { AppId, type AppStanding, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, displayName, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';

const name = displayName('Its name.');

export const NewApp = named('NewApp', closed({ name }, { description: 'An app to register.' }));

export const AppChange = named('AppChange', closed({ name }, { description: 'What an app is called from now on.' }));

const DEFAULT_GRACE_DAYS = 7;
export const AppDeletion = named(
  'AppDeletion',
  closed(
    {
      graceDays: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 30,
          default: DEFAULT_GRACE_DAYS,
          description: 'For how many days it can be taken back; 7 when it is left out.',
        }),
      ),
    },
    { description: 'How an app is deleted.' },
  ),
);

export const graceDaysOf = ({ graceDays = DEFAULT_GRACE_DAYS }: Static<typeof AppDeletion>): number => graceDays;

export const App = named(
  'App',
  closed(
    {
      id: AppId,
      organisationId: OrganisationId,
      environment: oneOf(['sandbox', 'production'], 'Where the app lives; the two never meet.'),
      name,
      state: oneOf(
        ['active', 'suspended', 'deleting'],
        'Only an active app has access. One that is being deleted can be restored until `eraseAt`.',
      ),
      suspendedBy: nullable(
        oneOf(
          ['member', 'operator'],
          'Who suspended it: a member, or the operator of Slipway, with its organisation or its live access, which no member can lift. Null unless it is suspended.',
        ),
      ),
      eraseAt: nullable(
        moment('When all of it is erased. Null unless it is being deleted; null also while its organisation is.'),
      ),
      createdBy: text('Who registered it.', { maxLength: 320 }),
      createdAt: moment('When it was registered.'),
    },
    { description: 'An app of an organisation.' },
  ),
);
export type App = Static<typeof App>;

const stopped = (what: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: what });

export const StoppedApp = named(
  'StoppedApp',
  closed(
    {
      app: App,
      stopped: named(
        'AppStop',
        closed(
          {
            keys: stopped('How many keys were valid and give no access now.'),
            deliveries: stopped('How many deliveries waited and are held now; 10,000 stands for that many or more.'),
            workflowRuns: stopped('How many runs of workflows stand still now.'),
          },
          { description: 'What was stopped.' },
        ),
      ),
    },
    { description: 'An app that has no access any more, and what that stopped.' },
  ),
);
export type AppStop = Static<typeof StoppedApp>['stopped'];

export interface AppRow {
  app_id: string;
  organisation_id: string;
  name: string;
  /** The status that its members set. `standing` is the effective status. */
  state: 'active' | 'suspended';
  organisation_standing: string;
  /** The live access that the Console last reported. */
  live_standing: 'active' | 'suspended' | 'revoked';
  standing: AppStanding;
  erase_at: Date | null;
  created_by: string;
  created_at: Date;
}

export function toApp(row: AppRow, environment: App['environment']): App {
  const isOperators = row.organisation_standing === 'suspended' || row.live_standing !== 'active';
  const suspendedBy = isOperators ? 'operator' : 'member';
  return {
    id: toId('app', row.app_id),
    organisationId: toId('org', row.organisation_id),
    environment,
    name: row.name,
    state: row.standing,
    suspendedBy: row.standing === 'suspended' ? suspendedBy : null,
    eraseAt: row.erase_at?.toISOString() ?? null,
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
  suspendedBy: null,
  eraseAt: null,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};

export const exampleStop: AppStop = { keys: 2, deliveries: 14, workflowRuns: 0 };
