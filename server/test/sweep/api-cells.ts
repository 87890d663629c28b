// The cells of /v1: each operation x state of the key x state of the app x owner of the object x grants of its server.

import { problemSlug } from '../../src/kit/openapi/problems.ts';
import { publicOperations } from '../../src/listeners/sandbox-api.ts';
import { missingId } from './copied-rows.ts';
import { EVERY_GRANT, type ServerObjectIds, SOME_GRANTS, type SweptServer } from './grants.ts';
import {
  API,
  APP_STATES,
  type ApiCell,
  expectApi,
  KEYS,
  OBJECT_OWNERS,
  type ObjectOwner,
  type SweepKey,
  type SweepScope,
} from './model.ts';
import type { SweptApp } from './object-kinds.ts';
import type { Cell } from './run.ts';
import type { SweepServices } from './sweep-services.ts';

export interface OperationForm {
  /** The name in the model. */
  name: string;
  method: string;
  /** The path with the names of ServerObjectIds in braces. */
  path: string;
  body: unknown;
}

type SweptOperation = (typeof publicOperations)[number];

/** Further ways of calling an operation, each with its own rule in the model. */
const ADDITIONAL_FORMS: Readonly<Record<string, Pick<OperationForm, 'name' | 'path'>>> = {
  listEvents: { name: 'listEvents of a server', path: '/v1/events?serverId={serverId}' },
  getEvent: { name: 'getEvent of a ping', path: '/v1/events/{pingId}' },
};

const ON_SERVER = /\{(\w+)\}/;
const prefixes: Readonly<Record<string, string>> = {
  serverId: 'srv',
  publicationId: 'pub',
  roadmapItemId: 'rmi',
  ticketId: 'tkt',
  workflowId: 'wfl',
  workflowRunId: 'wfr',
  eventId: 'evt',
  pingId: 'evt',
};

const isKeyed = (operation: SweptOperation): boolean => operation.access.security === 'key';

function formsOf(operation: SweptOperation): OperationForm[] {
  const { id, method, path } = operation;
  const [example] = Object.values(operation.examples ?? {});
  const form = { name: id, method, path, body: operation.body && example };
  const also = ADDITIONAL_FORMS[id];
  return also ? [form, { ...form, ...also }] : [form];
}

const openForms = publicOperations.filter((operation) => !isKeyed(operation)).flatMap(formsOf);
export const keyedForms = publicOperations.filter(isKeyed).flatMap(formsOf);
export const apiForms: readonly OperationForm[] = [...openForms, ...keyedForms];

export const isOnServer = ({ path }: OperationForm): boolean => ON_SERVER.test(path);

export function needsOf({ name }: OperationForm): SweepScope | undefined {
  const needs = API[name]?.needs;
  return needs === undefined || needs === 'nothing' || needs === 'a key' ? undefined : needs;
}

export function pathOf({ name, path }: OperationForm, idOf: (param: keyof ServerObjectIds) => string): string {
  const param = ON_SERVER.exec(path)?.[1];
  if (param === undefined) return path;
  if (!(param in prefixes))
    throw new Error(`The sweep does not know what {${param}} of ${name} is: grants.ts makes it.`);
  return path.replace(ON_SERVER, idOf(param as keyof ServerObjectIds)); // one of the prefixes
}

/** Returns a path with an id of a missing object, or with an invalid id. */
const strayPath = (form: OperationForm, place: 'missing' | 'malformed'): string =>
  pathOf(form, (param) => (place === 'missing' ? missingId(prefixes[param] ?? '') : 'nothing'));

export function* apiCells(home: SweepServices): Generator<Cell> {
  for (const form of openForms) yield* openCells(home, form);
  for (const form of keyedForms) {
    for (const key of KEYS) yield* keyCells(home, form, key);
    if (!isOnServer(form)) continue;
    for (const server of home.apps.own.servers.slice(0, EVERY_GRANT.length)) {
      yield serverCell(home, form, { key: 'active', app: 'active', place: 'own' }, server);
    }
  }
}

/** Yields the cells with a key that allows the operation. */
export function* allowedCells(home: SweepServices): Generator<Cell> {
  for (const form of keyedForms) yield* keyCells(home, form, 'active');
}

function cellOf(home: SweepServices, form: OperationForm, cell: Omit<ApiCell, 'operation'>, path: string): Cell {
  const caller = home.apps[APPS[cell.app]];
  const { method, name, body } = form;
  return {
    name: [name, cell.key, cell.app, cell.place ?? '', grantText(cell)].join(' | '),
    sameAs: name,
    tenant: 'app',
    expected: expectApi({ operation: name, ...cell }),
    call: () => home.callApi(method, path, caller.keys.token(cell.key, needsOf(form)), body),
  };
}

const grantText = ({ grants }: Pick<ApiCell, 'grants'>): string =>
  grants ? `${grants.installation}: ${Object.values(grants.scopes).join(' ')}` : '';

function* keyCells(home: SweepServices, form: OperationForm, key: SweepKey): Generator<Cell> {
  for (const app of APP_STATES) {
    if (!isOnServer(form)) yield cellOf(home, form, { key, app }, form.path);
    else for (const place of OBJECT_OWNERS) yield* placeCells(home, form, home.apps[APPS[app]], { key, app, place });
  }
}

const APPS = { active: 'own', suspended: 'suspended', deleting: 'deleting' } as const;

type CallerAndTarget = Pick<ApiCell, 'key' | 'app'> & { place: ObjectOwner };

function* placeCells(
  home: SweepServices,
  form: OperationForm,
  caller: SweptApp,
  target: CallerAndTarget,
): Generator<Cell> {
  const { place } = target;
  if (place === 'missing' || place === 'malformed') {
    // In a query an invalid id is an invalid request, as any other value.
    if (place === 'malformed' && form.path.includes('?')) return;
    return yield cellOf(home, form, target, strayPath(form, place));
  }
  const { servers } = place === 'own' ? caller : home.apps[place];
  // A call that is refused for its key or app never reaches the grants, so the first and last grant suffice.
  const isRefused = [401, 403].includes(expectApi({ operation: form.name, ...target }).status);
  const some = servers.slice(-SOME_GRANTS.length).filter((_, at) => !isRefused || at % (SOME_GRANTS.length - 1) === 0);
  for (const server of some) yield serverCell(home, form, target, server);
}

const serverCell = (
  home: SweepServices,
  form: OperationForm,
  target: CallerAndTarget,
  { ids, grants }: SweptServer,
): Cell =>
  cellOf(
    home,
    form,
    { ...target, grants },
    pathOf(form, (param) => ids[param]),
  );

/** Yields cells without a required key: the response is the same with any key and without one. */
function* openCells(home: SweepServices, form: OperationForm): Generator<Cell> {
  const slugs: Readonly<Record<string, string>> = {
    slug: problemSlug('missing_scope'),
    deprecationId: 'ticket-requester-external-id',
  };
  for (const key of KEYS) {
    const param = ON_SERVER.exec(form.path)?.[1];
    if (param === undefined) yield cellOf(home, form, { key, app: 'active' }, form.path);
    else {
      const slug = slugs[param];
      if (slug === undefined) throw new Error(`The sweep does not know what {${param}} of ${form.name} is.`);
      yield cellOf(home, form, { key, app: 'active', place: 'own' }, form.path.replace(ON_SERVER, slug));
      yield cellOf(home, form, { key, app: 'active', place: 'missing' }, form.path.replace(ON_SERVER, 'no-such-thing'));
    }
  }
}
