// The cells of the management API in the Console: each operation x caller x owner of organisation, app and object, and
// the initial states of changes.
import { consoleOperations } from '../../src/listeners/console.ts';
import { CALL_INPUTS, FIXED_PARAMETERS } from './call-inputs.ts';
import { CALLER_KINDS, type CallerKind, CONSOLE, type ConsoleCell, expectConsole } from './console-model.ts';
import { missingId } from './copied-rows.ts';
import { OBJECT_OWNERS } from './model.ts';
import type { SweptApp } from './object-kinds.ts';
import { KINDS } from './object-kinds.ts';
import type { Cell } from './run.ts';
import type { SweepServices } from './sweep-services.ts';

export const sweptOperations = consoleOperations([]);
type SweptOperation = (typeof sweptOperations)[number];

type TargetOwnership = Pick<ConsoleCell, 'organisation' | 'app' | 'object'>;

const paramsOf = ({ path }: SweptOperation): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** Returns the parameter that names an object of an app or an organisation, in the path or in the body. */
function objectOf(operation: SweptOperation): string | undefined {
  const rest = paramsOf(operation).filter(
    (name) => !['organisationId', 'appId', ...Object.keys(FIXED_PARAMETERS)].includes(name),
  );
  const name = CALL_INPUTS[operation.id]?.names ?? rest[0];
  if (rest.length > 1 || (name !== undefined && name !== 'serverId' && !(name in KINDS))) {
    throw new Error(`The sweep cannot call ${operation.id}: ${rest.join(', ')} needs a line in object-kinds.ts.`);
  }
  return name;
}

/**
 * Returns combinations of owners. One of organisation, app and object is foreign, missing or invalid while the others
 * are the caller's own, and finally all are foreign.
 */
function listOwnerships(operation: SweptOperation): TargetOwnership[] {
  const params = paramsOf(operation);
  const name = objectOf(operation);
  if (!params.includes('organisationId')) {
    return name === undefined ? [{}] : (['own', 'missing', 'malformed'] as const).map((object) => ({ object }));
  }
  const own: TargetOwnership = {
    organisation: 'own',
    ...(params.includes('appId') && { app: 'own' as const }),
    ...(name !== undefined && { object: 'own' as const }),
  };
  const places: TargetOwnership[] = [own];
  for (const organisation of ['foreign', 'missing', 'malformed'] as const) places.push({ ...own, organisation });
  if (own.app)
    for (const app of ['suspended', 'deleting', 'ended', 'foreign', 'missing', 'malformed'] as const)
      places.push({ ...own, app });
  const objects = own.app ? OBJECT_OWNERS.slice(1) : OBJECT_OWNERS.slice(2); // an organisation has no sibling
  if (own.object) for (const object of objects) places.push({ ...own, object });
  if (own.app && own.object) places.push({ ...own, app: 'foreign', object: 'foreign' });
  const allForeign: TargetOwnership = Object.fromEntries(Object.keys(own).map((name) => [name, 'foreign']));
  return [...places, ...(own.app || own.object ? [allForeign] : [])];
}

/** Only a member reaches apps and objects. For other callers all own and all foreign suffice. */
function reachableTargets(who: CallerKind, places: TargetOwnership[]): TargetOwnership[] {
  const isMember = who !== 'stranger' && who !== 'operator' && who !== 'nobody';
  const [own, ...rest] = places;
  return isMember || !own?.app ? places : [own, ...rest.slice(-1)];
}

export function* consoleCells(home: SweepServices, people: readonly CallerKind[] = CALLER_KINDS): Generator<Cell> {
  for (const operation of sweptOperations) {
    for (const who of people) {
      for (const places of reachableTargets(who, listOwnerships(operation)))
        yield cellOf(home, operation, { operation: operation.id, who, ...places });
    }
  }
}

function cellOf(home: SweepServices, operation: SweptOperation, cell: ConsoleCell): Cell {
  const { who, organisation, app, object } = cell;
  const expected = expectConsole(cell);
  const isRule = Array.isArray(CONSOLE[operation.id]?.who);
  return {
    name: [operation.id, who, organisation, app, object].join(' | '),
    sameAs: `${operation.id} ${levelOf(cell)}`,
    tenant: !isRule ? undefined : app === undefined ? 'organisation' : 'app',
    expected,
    async call() {
      const scene = CALL_INPUTS[operation.id] ?? {};
      const spends = (expected.status < 300 && scene.spends) || [];
      const ids = await idsOf(home, operation, cell, spends);
      const person = await makeDisposablePerson(home, who, spends);
      const [example] = Object.values(operation.examples ?? {});
      const body = operation.body && ((await scene.body?.({ home, ids, email: person?.email })) ?? example);
      const path = operation.path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => ids[name] ?? FIXED_PARAMETERS[name] ?? '',
      );
      return home.callConsole(operation.method, path, person?.cookie ?? home.people[who].cookie, body);
    },
  };
}

async function makeDisposablePerson(home: SweepServices, who: CallerKind, spends: readonly string[]) {
  if (who === 'nobody') return undefined;
  if (spends.includes('person')) return home.newPerson();
  return spends.includes('member') && who !== 'stranger' && who !== 'operator' ? home.newPerson(who) : undefined;
}

/** Returns the level that fails first. A foreign object there must get the same response as a missing one. */
function levelOf({ who, organisation, app, object }: ConsoleCell): string {
  if ([organisation, app, object].includes('malformed')) return 'form';
  if (who === 'stranger' || who === 'operator' || organisation !== 'own') return 'organisation';
  return app === undefined || app === 'own' || app === 'suspended' || app === 'deleting' ? 'object' : 'app';
}

async function idsOf(home: SweepServices, operation: SweptOperation, cell: ConsoleCell, spends: readonly string[]) {
  const ids: Record<string, string> = {};
  const { organisation, app, object } = cell;
  if (spends.includes('organisationId')) ids.organisationId = await home.newOrganisation();
  else if (organisation === 'own' || organisation === 'foreign') ids.organisationId = home.organisations[organisation];
  else ids.organisationId = organisation === 'missing' ? missingId('org') : 'nothing';
  const owner = await appOf(home, app, spends);
  ids.appId = owner?.id ?? (app === 'missing' ? missingId('app') : 'nothing');
  const name = objectOf(operation);
  if (name !== undefined) ids[name] = await objectId(home, name, owner ?? home.apps.own, object, spends);
  return ids;
}

async function appOf(
  home: SweepServices,
  app: ConsoleCell['app'],
  spends: readonly string[],
): Promise<SweptApp | undefined> {
  if (app === undefined || app === 'missing' || app === 'malformed' || app === 'sibling') return undefined;
  const standing = home.apps[app];
  return spends.includes('appId') ? { ...standing, id: await home.copyApp(standing) } : standing;
}

async function objectId(
  home: SweepServices,
  name: string,
  owner: SweptApp,
  place: ConsoleCell['object'],
  spends: readonly string[],
): Promise<string> {
  if (place === 'malformed') return 'nothing';
  if (place === 'missing') return missingId(name === 'serverId' ? 'srv' : (KINDS[name]?.prefix ?? ''));
  const of = place === 'sibling' || place === 'foreign' ? home.apps[place] : owner;
  if (spends.includes(name)) return home.makeOne(name, of);
  return of.objects[name] ?? '';
}
