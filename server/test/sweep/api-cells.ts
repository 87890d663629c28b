// The cells of /v1: each operation x state of the key x state of the app x owner of the object x grants of its server.
import { problemSlug } from '../../src/kit/openapi/problems.ts';
import { publicOperations } from '../../src/listeners/sandbox-api.ts';
import { newNumber } from './copied-rows.ts';
import { EVERY_GRANT, SOME_GRANTS, type SweptServer } from './grants.ts';
import {
  APP_STATES,
  type ApiCell,
  type ApiRule,
  type ExpectedResponse,
  expectApi,
  KEYS,
  OBJECT_OWNERS,
  type ObjectOwner,
  type SweepKey,
  scopesOf,
} from './model.ts';
import type { SweptApp } from './object-kinds.ts';
import type { Cell } from './run.ts';
import type { SweepServices } from './sweep-services.ts';
import { swept } from './swept.ts';

export interface OperationForm {
  /** The name in the model. */
  name: string;
  method: string;
  /** The path and the body with the names of identifiers in braces. */
  path: string;
  body: unknown;
}

type SweptOperation = (typeof publicOperations)[number];

const NAMED = /\{(\w+)\}/g;
/** An identifier in a body, which is a number there. */
const NAMED_IN_BODY = /"\{(\w+)\}"/g;

const isKeyed = (operation: SweptOperation): boolean => operation.access.security === 'key';

function formsOf(operation: SweptOperation): OperationForm[] {
  const { id, method } = operation;
  const [example] = Object.values(operation.examples ?? {});
  const { path = operation.path, body = operation.body && example } = swept.calls[id] ?? {};
  const form = { name: id, method, path, body };
  const also = swept.additionalForms[id];
  return also ? [form, { ...form, ...also }] : [form];
}

const openForms = publicOperations.filter((operation) => !isKeyed(operation)).flatMap(formsOf);
export const keyedForms = publicOperations.filter(isKeyed).flatMap(formsOf);
export const apiForms: readonly OperationForm[] = [...openForms, ...keyedForms];

const namesIn = ({ path, body }: OperationForm): string[] =>
  [...`${path}${JSON.stringify(body)}`.matchAll(NAMED)].map(([, name]) => name ?? '');

export const isOnServer = (form: OperationForm): boolean => namesIn(form).length > 0;

/** Returns true if only the query or the body names the object. */
const isNamedOutsidePath = (form: OperationForm): boolean =>
  isOnServer(form) && !/\{/.test(form.path.split('?')[0] ?? '');

export function ruleOf({ name }: OperationForm): ApiRule {
  const rule = swept.rules[name];
  if (!rule) throw new Error(`The model has no rule for ${name}.`);
  return rule;
}

export const needsOf = (form: OperationForm): readonly string[] => scopesOf(ruleOf(form));
export const expectForm = (form: OperationForm, cell: ApiCell): ExpectedResponse => expectApi(ruleOf(form), cell);

export type Request = Pick<OperationForm, 'path' | 'body'>;

/** Returns the path and the body with these identifiers. */
export function requestOf(form: OperationForm, idOf: (name: string) => string | undefined): Request {
  const idFor = (name: string): string => {
    const id = name === 'newId' ? newNumber() : idOf(name);
    if (id === undefined) throw new Error(`The sweep does not know what {${name}} of ${form.name} is.`);
    return id;
  };
  const body: string | undefined = JSON.stringify(form.body);
  return {
    path: form.path.replaceAll(NAMED, (_, name: string) => idFor(name)),
    body: body && JSON.parse(body.replaceAll(NAMED_IN_BODY, (_, name: string) => idFor(name))),
  };
}

/** Returns a request with an id of a missing object, or with an invalid id. */
const strayRequest = (form: OperationForm, place: 'missing' | 'malformed'): Request =>
  requestOf(form, (name) => (place === 'missing' ? swept.missingId(name) : 'nothing'));

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

function cellOf(
  home: SweepServices,
  form: OperationForm,
  cell: ApiCell,
  request: Request | (() => Promise<Request>),
  caller: Pick<SweptApp, 'keys'> = home.apps[APPS[cell.app]],
): Cell {
  const { method, name } = form;
  return {
    name: [name, cell.key, cell.app, cell.place ?? '', grantText(cell)].join(' | '),
    sameAs: name,
    tenant: 'app',
    expected: expectForm(form, cell),
    async call() {
      const { path, body } = typeof request === 'function' ? await request() : request;
      return home.callApi(method, path, caller.keys.token(cell.key, needsOf(form)), body);
    },
  };
}

const grantText = ({ grants }: Pick<ApiCell, 'grants'>): string =>
  grants ? `${grants.installation}: ${Object.values(grants.scopes).join(' ')}` : '';

function* keyCells(home: SweepServices, form: OperationForm, key: SweepKey): Generator<Cell> {
  for (const app of APP_STATES) {
    if (!isOnServer(form)) yield cellOf(home, form, { key, app }, form);
    else for (const place of OBJECT_OWNERS) yield* placeCells(home, form, home.apps[APPS[app]], { key, app, place });
  }
  if (!ruleOf(form).isOnAccount || key !== 'active') return;
  for (const { app, grants } of home.accounts) yield cellOf(home, form, { key, app: 'active', grants }, form, app);
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
    // In a query or a body an invalid id is an invalid request, as any other value.
    if (place === 'malformed' && isNamedOutsidePath(form)) return;
    return yield cellOf(home, form, target, strayRequest(form, place));
  }
  const { servers } = place === 'own' ? caller : home.apps[place];
  // A call that is refused for its key or app never reaches the grants, so the first and last grant suffice.
  const isRefused = [401, 403].includes(expectForm(form, target).status);
  const some = servers.slice(-SOME_GRANTS.length).filter((_, at) => !isRefused || at % (SOME_GRANTS.length - 1) === 0);
  for (const server of some) yield serverCell(home, form, target, server);
}

function serverCell(home: SweepServices, form: OperationForm, target: CallerAndTarget, server: SweptServer): Cell {
  const cell = { ...target, grants: server.grants };
  const request = () => requestOn(home, form, home.apps[APPS[target.app]], server, expectForm(form, cell));
  return cellOf(home, form, cell, request);
}

/**
 * Returns the request on an object of a server. If it will end the object, it names the object of a new server with the
 * same grants.
 */
export async function requestOn(
  home: SweepServices,
  form: OperationForm,
  app: SweptApp,
  { ids, grants }: SweptServer,
  { status }: ExpectedResponse,
): Promise<Request> {
  const [spare] = swept.ends.includes(form.name) && status < 300 ? await home.makeServers(app, [grants]) : [];
  return requestOf(form, (name) => (spare?.ids ?? ids)[name]);
}

/** Yields cells without a required key: the response is the same with any key and without one. */
function* openCells(home: SweepServices, form: OperationForm): Generator<Cell> {
  const slugs: Readonly<Record<string, string>> = {
    slug: problemSlug('missing_scope'),
    deprecationId: swept.deprecationId,
  };
  for (const key of KEYS) {
    const cell: ApiCell = { key, app: 'active' };
    if (!isOnServer(form)) yield cellOf(home, form, cell, form);
    else {
      yield cellOf(
        home,
        form,
        { ...cell, place: 'own' },
        requestOf(form, (name) => slugs[name]),
      );
      yield cellOf(
        home,
        form,
        { ...cell, place: 'missing' },
        requestOf(form, () => 'no-such-thing'),
      );
    }
  }
}
