// An app: registered under an organisation in one environment. Keys, installations and endpoints belong to an app.

import { AppId, type AppStatus, OrganisationId, type Plane } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  count,
  dateTime,
  displayName,
  integer,
  namedObject,
  namedSchema,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';

const name = displayName('The name.');

export const AppInput = namedObject('AppInput', 'An app to register.', { name });

export const AppChange = namedSchema(
  'AppChange',
  Type.Object(
    {
      name: Type.Optional(name),
      capturesBodies: Type.Optional(
        Type.Boolean({
          description:
            'Whether the headers and bodies of requests are stored for a limited time. `false` makes stored ones unreadable immediately.',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1, description: 'The settings of an app to change.' },
  ),
);

const DEFAULT_GRACE_DAYS = 7;
export const AppDeletion = namedObject('AppDeletion', 'The deletion of an app.', {
  graceDays: Type.Optional(
    integer('The number of days during which the app can be restored; 7 by default.', 1, 30, {
      default: DEFAULT_GRACE_DAYS,
    }),
  ),
});

export const graceDaysOf = ({ graceDays = DEFAULT_GRACE_DAYS }: Static<typeof AppDeletion>): number => graceDays;

export const App = namedObject('App', 'An app of an organisation.', {
  id: AppId,
  organisationId: OrganisationId,
  environment: oneOf(['sandbox', 'production'], 'The environment of the app. Sandbox and production are isolated.'),
  name,
  state: oneOf(
    ['active', 'suspended', 'deleting'],
    'Only an `active` app has access. An app that is `deleting` can be restored until `eraseAt`.',
  ),
  suspendedBy: nullable(
    oneOf(
      ['member', 'operator'],
      '`member`: a member suspended the app. `operator`: the operator of Slipway suspended its organisation or its live access, which no member can resume. Null unless the app is suspended.',
    ),
  ),
  eraseAt: nullable(
    dateTime(
      'The time of the erasure. Null unless the app is being deleted; also null while its organisation is being deleted.',
    ),
  ),
  capturesBodies: Type.Boolean({
    description:
      'True if the headers and bodies of requests are stored for a limited time, sealed, for `revealCapture`. Always false in production.',
  }),
  canCaptureBodies: Type.Boolean({
    description: 'False in production, and if the operator of Slipway forbids the storing of bodies.',
  }),
  createdBy: text('The person who registered the app.', { maxLength: 320 }),
  createdAt: dateTime('The time of the registration.'),
});
export type App = Static<typeof App>;

export const StoppedApp = namedObject('StoppedApp', 'An app without access, and the activity that was stopped.', {
  app: App,
  stopped: namedObject('AppStop', 'The activity that was stopped.', {
    keys: count('The number of keys that were valid and lost their access.'),
    deliveries: count('The number of pending deliveries that are now held, at most 10,000.'),
    workflowRuns: count('The number of workflow runs that are now paused.'),
  }),
});
export type AppStop = Static<typeof StoppedApp>['stopped'];

export interface AppRow {
  app_id: string;
  organisation_id: string;
  name: string;
  /** The status that its members set. `status` is the effective status. */
  state: 'active' | 'suspended';
  organisation_status: string;
  /** The live access that the Console last reported. */
  live_status: 'active' | 'suspended' | 'revoked';
  status: AppStatus;
  erase_at: Date | null;
  /** The time from which headers and bodies are stored; null if they are not. */
  captures_since: Date | null;
  created_by: string;
  created_at: Date;
}

export function toApp(row: AppRow, { environment, captures }: Pick<Plane, 'environment' | 'captures'>): App {
  const isOperators = row.organisation_status === 'suspended' || row.live_status !== 'active';
  const suspendedBy = isOperators ? 'operator' : 'member';
  return {
    id: toId('app', row.app_id),
    organisationId: toId('org', row.organisation_id),
    environment,
    name: row.name,
    state: row.status,
    suspendedBy: row.status === 'suspended' ? suspendedBy : null,
    eraseAt: row.erase_at?.toISOString() ?? null,
    capturesBodies: captures !== undefined && row.captures_since !== null,
    canCaptureBodies: captures !== undefined,
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
  capturesBodies: false,
  canCaptureBodies: true,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};

export const exampleStop: AppStop = { keys: 2, deliveries: 14, workflowRuns: 0 };
