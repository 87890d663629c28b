// From a document to the data of a contract.
import {
  type AnyResource,
  type ContractDeclaration,
  contractErrors,
  EVENT_SCOPE,
  limitErrors,
  type OperationDeclaration,
  presetCounts,
  type ResourceDeclaration,
  resource,
} from '../../access/contracts/index.ts';
import { groupRoutes, type PathCollection, shapeOfRoute } from './collections.ts';
import { DocumentError, readDocument } from './document.ts';
import { readEvents } from './events.ts';
import { type Finding, Findings } from './findings.ts';
import { reportErrors } from './left-out.ts';
import type { Context } from './operations.ts';
import { openParentFields } from './parent-fields.ts';
import { Part } from './part.ts';
import { type Plan, planResources } from './plans.ts';
import { declareResource, type ResourceData } from './resources.ts';
import { type Route, readRoutes, templateOf } from './routes.ts';
import { Scopes } from './scopes.ts';
import { componentPointer } from './shapes.ts';
import { wordsOf } from './words.ts';

/** A contract as data, without functions. */
export interface ImportedContract
  extends Pick<ContractDeclaration, 'name' | 'version' | 'scopes' | 'keyPresets' | 'presets'> {
  /** The resources, parents first. */
  resources: readonly ResourceData[];
  findings: readonly Finding[];
}

const FILE = 'file:///import/contract.mjs';
const MINUTE_MS = 60_000;

/** Imports a document. `file` is its name in messages. Throws a DocumentError for a document that is no OpenAPI 3. */
export function importDocument(file: string, text: string): ImportedContract {
  const document = readDocument(file, text);
  const findings = new Findings(document);
  const root = new Part(document.root, undefined, document, findings);
  const name = nameOf(root);
  const routes = readRoutes(root);
  reportErrors(routes);
  reportServer(root);
  const { collections, others } = groupRoutes(routes);
  const { plans, unidentified } = planResources(collections);
  const context: Context = {
    scopes: new Scopes(root),
    ids: new Set(),
    routes: new Set(),
    mount: name.slice(0, 40),
    owners: ownersOf(plans),
  };
  const actions = assignActions(others, unidentified, plans);
  const declared = new Map(plans.map((plan) => [plan, declareResource(plan, actions.get(plan) ?? [], context)]));
  openParentFields(declared);
  addEvents(root, declared);
  const resources = withKnownParams(validResources(declared, context.scopes));
  if (resources.length === 0)
    throw new DocumentError(`${file}: The document describes no resource that a contract can express.`);
  const scopes = scopesOf(resources, context.scopes);
  const built = build(resources);
  const contract: ImportedContract = {
    name,
    ...versionOf(root),
    scopes,
    keyPresets: keyPresetsOf(resources, scopes),
    resources,
    presets: presetsOf(built),
    findings: findings.list(),
  };
  const declaration = { ...contract, file: FILE, resources: built };
  const errors = [...contractErrors(declaration), ...limitErrors(declaration)];
  if (errors.length > 0) throw new DocumentError(`${file}: The document cannot be imported: ${errors.join(' ')}`);
  return contract;
}

function nameOf(root: Part): string {
  const words = wordsOf(root.at('info')?.text('title') ?? '').slice(0, 6);
  const name = words
    .join('-')
    .slice(0, 60)
    .replace(/^[^a-z]+/, '');
  return name || 'imported';
}

/** Reports a server whose path is not `/v1`, because requests to Slipway and from production have other paths then. */
function reportServer(root: Part): void {
  const [server] = root.at('servers')?.items() ?? [];
  const path = (server?.text('url') ?? '/v1').replace(/^(?:[a-z]+:)?\/\/[^/]*/i, '').replace(/(?<!\/)\/+$/, '');
  if (path !== '/v1')
    server?.report(
      `has the path ${path.slice(0, 100) || '/'}. Slipway serves the contract under /v1, and production sends requests to your API under /v1`,
    );
}

function versionOf(root: Part): { version?: string } {
  const version = root.at('info')?.shortText('version', 40);
  return version === undefined ? {} : { version };
}

/** Assigns each further operation to the resource of the last known object in its path, or of its collection. */
function assignActions(
  others: readonly Route[],
  unidentified: readonly Route[],
  plans: readonly Plan[],
): Map<Plan, Route[]> {
  const owners = new Map(
    plans.flatMap((plan) => plan.collections.map((one) => [one.template, { plan, one }] as const)),
  );
  const hostOf = hostsIn(plans);
  const actions = new Map<Plan, Route[]>();
  const assign = (route: Route, reason: string): void => {
    const owner = ownerOf(route, owners);
    const plan = owner ?? hostOf(route);
    if (plan) actions.set(plan, [...(actions.get(plan) ?? []), route]);
    if (!plan) route.operation.report(`belongs to ${reason}. The contract leaves it out`);
    else if (!owner)
      route.operation.report(
        `names no object. The contract has it as an action of ${plan.name}, which changes no object in the sandbox`,
      );
  };
  for (const route of others) assign(route, 'no resource of the contract');
  for (const route of unidentified) assign(route, 'a resource whose objects no response contains');
  return actions;
}

function ownerOf(
  { segments, method }: Route,
  owners: Map<string, { plan: Plan; one: PathCollection }>,
): Plan | undefined {
  const last = segments.findLastIndex(({ isParameter }) => isParameter);
  const objects = segments.flatMap(({ isParameter }, at) =>
    isParameter && at > 0 ? (owners.get(templateOf(segments.slice(0, at))) ?? []) : [],
  );
  const ofObject = objects.findLast(({ one }) => one.parameter);
  // A change of a collection, such as `PUT /orders`, names no object.
  const isChange = method !== 'GET' && method !== 'POST';
  const before = isChange ? undefined : owners.get(templateOf(segments.slice(0, -1)));
  // `/spaces/{spaceId}/tasks/search` is about tasks, and not about the space.
  if (before && segments.length - 2 > last) return before.plan;
  return (ofObject ?? before)?.plan;
}

/**
 * Returns a function that finds the resource for an operation whose path names no object, such as `GET /account` or
 * `PATCH /orders`: that of its response or of its path, one with its tag, otherwise the first. Looks resources up
 * in maps, because a document can have thousands of them.
 */
function hostsIn(plans: readonly Plan[]): (route: Route) => Plan | undefined {
  const byComponent = new Map<unknown, Plan>();
  const byTemplate = new Map<string, Plan>();
  const byTag = new Map<unknown, Plan>();
  for (const plan of plans.toReversed()) {
    byComponent.set(componentPointer(plan.schema), plan);
    for (const { template, members } of plan.collections) {
      byTemplate.set(template, plan);
      for (const { route } of members) byTag.set(tagOf(route.operation), plan);
    }
  }
  byTag.delete(undefined); // operations without a tag have nothing in common
  return (route) => {
    const { segments, operation } = route;
    if (segments.some(({ isParameter }) => isParameter)) return undefined;
    const shape = shapeOfRoute(route);
    return (
      byComponent.get(shape && componentPointer(shape.schema)) ??
      byTemplate.get(templateOf(segments)) ??
      byTemplate.get(templateOf(segments.slice(0, -1))) ??
      byTag.get(tagOf(operation)) ??
      plans[0]
    );
  };
}

const tagOf = (operation: Part): unknown => operation.at('tags')?.items()[0]?.value;

function addEvents(root: Part, declared: Map<Plan, ResourceData>): void {
  const statesOf = (plan: Plan) => {
    const { states, stateField = 'status' } = declared.get(plan) ?? {};
    return states && { field: stateField, names: Object.keys(states) };
  };
  const operationsOf = (plan: Plan) => Object.values(declared.get(plan)?.operations ?? {});
  for (const { plan, type, event } of readEvents(root, [...declared.keys()], { statesOf, operationsOf })) {
    const data = declared.get(plan);
    if (data) data.events = { ...data.events, [type]: event };
  }
}

/** Returns the resources that a contract can declare, without those whose parent is left out. */
function validResources(declared: Map<Plan, ResourceData>, { meanings }: Scopes): ResourceData[] {
  const valid: ResourceData[] = [];
  for (const [plan, data] of declared) {
    const isParentLeftOut = data.parentName !== undefined && !valid.some(({ name }) => name === data.parentName);
    const isUnused = Object.keys(data.operations ?? {}).length === 0;
    const errors = isParentLeftOut || isUnused ? [] : errorsOf([...valid, data], Object.fromEntries(meanings));
    if (isParentLeftOut) plan.schema.report('is a resource whose parent is left out. The contract leaves it out too');
    else if (isUnused)
      plan.schema.report('is a resource without an operation of the contract. The contract leaves it out');
    else if (errors.length > 0) plan.schema.report(`is left out: ${errors[0]}`);
    else valid.push(data);
  }
  return valid;
}

/** Returns the mistakes of the last resource. The resources before it are valid. */
function errorsOf(resources: readonly ResourceData[], scopes: Record<string, string>): string[] {
  return contractErrors({
    file: FILE,
    name: 'import',
    scopes: { ...scopes, [EVENT_SCOPE]: '' },
    keyPresets: {},
    resources: build(withKnownParams(lastWithAncestors(resources))),
    presets: {},
  });
}

const ownersOf = (plans: readonly Plan[]): ReadonlyMap<string, Plan> =>
  new Map(
    plans.flatMap((plan) =>
      plan.collections.flatMap(({ template, parameter }) => (parameter ? [[template, plan] as const] : [])),
    ),
  );

/** Returns the resources with the names of others in parameters (`of`) only if these are among them. */
function withKnownParams(resources: readonly ResourceData[]): ResourceData[] {
  const names = new Set(resources.map(({ name }) => name));
  const known = (one: OperationDeclaration): OperationDeclaration => {
    const params = Object.entries(one.params ?? {}).map(([name, { schema, of }]) => [
      name,
      of !== undefined && names.has(of) ? { schema, of } : { schema },
    ]);
    return params.length === 0 ? one : { ...one, params: Object.fromEntries(params) };
  };
  return resources.map(({ operations = {}, ...one }) => ({
    ...one,
    operations: Object.fromEntries(Object.entries(operations).map(([id, declared]) => [id, known(declared)])),
  }));
}

function lastWithAncestors(resources: readonly ResourceData[]): ResourceData[] {
  const family: ResourceData[] = [];
  let next = resources.at(-1);
  while (next) {
    family.unshift(next);
    const { parentName } = next;
    next = parentName === undefined ? undefined : resources.find(({ name }) => name === parentName);
  }
  return family;
}

/** Returns the resources as the module of the contract declares them. */
function build(resources: readonly ResourceData[]): AnyResource[] {
  const built = new Map<string, AnyResource>();
  for (const { parentName, ...data } of resources) {
    const parent = parentName === undefined ? undefined : built.get(parentName);
    built.set(data.name, resource<ResourceDeclaration>({ ...data, file: FILE, ...(parent && { parent }) }));
  }
  return [...built.values()];
}

function scopesOf(resources: readonly ResourceData[], { meanings }: Scopes): Record<string, string> {
  const used = new Set(
    resources.flatMap(({ operations = {} }) => Object.values(operations).flatMap((one) => one.scopes)),
  );
  const entries = [...meanings].filter(([scope]) => used.has(scope));
  return Object.fromEntries([...entries, [EVENT_SCOPE, 'Read events']]);
}

function keyPresetsOf(resources: readonly ResourceData[], scopes: Record<string, string>): Record<string, string[]> {
  const operations = resources.flatMap((one) => Object.values(one.operations ?? {}));
  const reads = new Set(operations.filter(({ method }) => method === 'GET').flatMap((one) => one.scopes));
  return {
    'read-only': [...reads, EVENT_SCOPE],
    all: Object.keys(scopes),
    webhooks: [EVENT_SCOPE],
  };
}

function presetsOf(resources: readonly AnyResource[]): ContractDeclaration['presets'] {
  const counts = (top: number, below: number): Record<string, number> => presetCounts(resources, top, below);
  const shared = { script: 'plain', tickMs: 10 * MINUTE_MS } as const;
  return {
    empty: { meaning: 'nothing', counts: counts(0, 0), ...shared },
    small: { meaning: 'ten objects of each resource', counts: counts(10, 3), ...shared },
    busy: { meaning: 'many objects and much activity', counts: counts(200, 10), ...shared, tickMs: MINUTE_MS },
  };
}
