// Compares a file of `slipway apply` with the state of its app, and returns the changes in the order in which they are
// made.
import type { EndpointInput, Key, ManagementClient } from '@slipway/sdk/management';
import { type AppFile, type EndpointSpec, type FaultSpec, type FilePath, type ReadAppFile, urlOf } from './app-file.ts';
import type { AppState } from './app-state.ts';
import { cellOf } from './cells.ts';

/** The app that the changes are made to, with the ids that earlier changes returned. */
export interface ApplyContext {
  api: ManagementClient;
  organisationId: string;
  appId: string;
  keyIds: Map<string, string>;
}

/** The result of a change: the id of the object, and its secret if one was generated. */
export interface ChangeResult {
  id?: string;
  secret?: string;
}

export interface Change {
  action: 'create' | 'update' | 'replace' | 'delete' | 'revoke';
  kind: 'app' | 'world' | 'key' | 'endpoint' | 'fault';
  name: string;
  /** The changed fields, such as `ratePerSecond: 10 to 20`. */
  changes: readonly string[];
  /** The place in the file; empty for an object that the file does not name. */
  path: FilePath;
  /** The irreversible effect on an existing app; undefined if there is none. */
  warning?: string;
  run(context: ApplyContext): Promise<ChangeResult>;
}

export interface PlanOptions {
  isPruning: boolean;
}

/** Returns the changes that give the app the content of the file. `state` is undefined if the app does not exist. */
export function planChanges(file: ReadAppFile, state: AppState | undefined, { isPruning }: PlanOptions): Change[] {
  const { content } = file;
  const planned = [
    ...(state ? [] : [createApp(content)]),
    ...planWorld(content, state),
    ...(content.keys ?? []).flatMap((_, at) => planKey(file, at, state)),
    ...(content.endpoints ?? []).flatMap((_, at) => planEndpoint(file, at, state)),
    ...planFaults(content.faults ?? [], state),
  ];
  return isPruning && state ? [...planned, ...planRemovals(content, state)] : planned;
}

const at = ({ organisationId, appId }: ApplyContext): { organisationId: string; appId: string } => ({
  organisationId,
  appId,
});

const createApp = ({ app = '' }: AppFile): Change => ({
  action: 'create',
  kind: 'app',
  name: app,
  changes: [],
  path: ['app'],
  async run(context) {
    const { id } = await context.api.createApp({ organisationId: context.organisationId, body: { name: app } });
    context.appId = id;
    return { id };
  },
});

function planWorld({ world }: AppFile, state: AppState | undefined): Change[] {
  if (world === undefined) return [];
  const changes = differences(world, state?.world);
  if (changes.length === 0) return [];
  return [
    {
      action: state ? 'replace' : 'create',
      kind: 'world',
      name: world.preset ?? state?.world.preset ?? 'small',
      changes,
      path: ['world'],
      ...(state && { warning: 'replaces the sandbox data of the app' }),
      async run(context) {
        // A new app has data already.
        if (differences(world, await context.api.getWorld(at(context))).length > 0)
          await context.api.resetWorld({ ...at(context), body: world });
        return {};
      },
    },
  ];
}

function planKey({ content, errorAt }: ReadAppFile, index: number, state: AppState | undefined): Change[] {
  const spec = content.keys?.[index];
  if (!spec) return [];
  const path = ['keys', index];
  const existing = state?.keys.find(({ name }) => name === spec.name);
  if (!existing) {
    return [
      {
        action: 'create',
        kind: 'key',
        name: spec.name,
        changes: [],
        path,
        async run(context) {
          const { key, token } = await context.api.createKey({ ...at(context), body: spec });
          context.keyIds.set(spec.name, key.id);
          return { id: key.id, secret: token };
        },
      },
    ];
  }
  const fixed = fixedFieldOf(spec, existing);
  if (fixed)
    throw errorAt(
      [...path, fixed],
      `cannot change for the existing key ${existing.id}. Rotate it with \`slipway keys rotate\`, or use another name.`,
    );
  if (spec.note === undefined || spec.note === existing.note) return [];
  const { note } = spec;
  return [
    {
      action: 'update',
      kind: 'key',
      name: spec.name,
      changes: differences({ note }, existing),
      path,
      async run(context) {
        await context.api.updateKey({ ...at(context), keyId: existing.id, body: { note } });
        return { id: existing.id };
      },
    },
  ];
}

/** Returns the field of a key that differs from the file and that no operation can change. */
function fixedFieldOf(
  spec: NonNullable<AppFile['keys']>[number],
  existing: Key,
): 'scopes' | 'allowedCidrs' | undefined {
  if (spec.scopes && !isSame(spec.scopes, existing.scopes)) return 'scopes';
  if (spec.allowedCidrs && !isSame(spec.allowedCidrs, existing.allowedCidrs)) return 'allowedCidrs';
  return undefined;
}

function planEndpoint({ content, errorAt }: ReadAppFile, index: number, state: AppState | undefined): Change[] {
  const spec = content.endpoints?.[index];
  if (!spec) return [];
  const path = ['endpoints', index];
  const { key, state: wantedState, ...fields } = spec;
  const knownKey = state?.keys.find(({ name }) => name === key);
  if (!knownKey && !content.keys?.some(({ name }) => name === key))
    throw errorAt([...path, 'key'], `must be the name of a key of the file, or of an active key of the app.`);
  const keyIdIn = (context: ApplyContext): string => context.keyIds.get(key) ?? knownKey?.id ?? '';
  const existing = state?.endpoints.find((one) => urlOf(one) === urlOf(spec));
  const name = spec.url;
  if (!existing) {
    return [
      {
        action: 'create',
        kind: 'endpoint',
        name,
        changes: [],
        path,
        async run(context) {
          const body: EndpointInput = { ...fields, keyId: keyIdIn(context) };
          const { endpoint, signingSecret } = await context.api.createEndpoint({ ...at(context), body });
          if (wantedState === 'disabled')
            await context.api.updateEndpoint({
              ...at(context),
              endpointId: endpoint.id,
              body: { state: 'disabled' },
            });
          return { id: endpoint.id, secret: signingSecret };
        },
      },
    ];
  }
  const body = endpointChange(spec, existing);
  const isOtherKey = existing.keyId !== knownKey?.id;
  const changes = [
    ...differences(body, {
      ...existing,
      headers: Object.fromEntries(existing.headerNames.map((one) => [one, '(hidden)'])),
    }),
    ...(isOtherKey ? [`key: ${existing.keyId} to ${cellOf(key)}`] : []),
  ];
  if (changes.length === 0) return [];
  return [
    {
      action: 'update',
      kind: 'endpoint',
      name,
      changes,
      path,
      async run(context) {
        const change = { ...body, ...(isOtherKey && { keyId: keyIdIn(context) }) };
        await context.api.updateEndpoint({ ...at(context), endpointId: existing.id, body: change });
        return { id: existing.id };
      },
    },
  ];
}

/** Returns the fields that differ. The values of headers are never shown, so only missing headers are sent. */
function endpointChange(spec: EndpointSpec, existing: AppState['endpoints'][number]): Partial<EndpointSpec> {
  const { key: _, url: _url, headers, ...fields } = spec;
  const changed = Object.entries(fields).filter(
    ([field, value]) => differences({ [field]: value }, existing).length > 0,
  );
  const names = existing.headerNames.map((name) => name.toLowerCase());
  const missing = Object.entries(headers ?? {}).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...Object.fromEntries(changed), ...(missing.length > 0 && { headers: Object.fromEntries(missing) }) };
}

interface FaultIdentity {
  operationId?: string | null;
  effect: FaultSpec['effect'];
}

const faultName = ({ operationId, effect }: FaultIdentity): string =>
  `${operationId ?? 'any operation'} ${JSON.stringify(effect)}`;

const isSameFault = (one: FaultIdentity, other: FaultIdentity): boolean =>
  (one.operationId ?? null) === (other.operationId ?? null) && isSame(one.effect, other.effect);

/** Returns the existing rule of each rule in the file. Equal rules are paired in their order. */
function pairFaults(
  specs: readonly FaultSpec[],
  state: AppState | undefined,
): (AppState['faults'][number] | undefined)[] {
  const unpaired = [...(state?.faults ?? [])];
  return specs.map((spec) => {
    const found = unpaired.findIndex((one) => isSameFault(one, spec));
    return found === -1 ? undefined : unpaired.splice(found, 1)[0];
  });
}

function planFaults(specs: readonly FaultSpec[], state: AppState | undefined): Change[] {
  const pairs = pairFaults(specs, state);
  return specs.flatMap((spec, index): Change[] => {
    const { operationId = null, effect, ...settings } = spec;
    const existing = pairs[index];
    const shared = { kind: 'fault', name: faultName(spec), path: ['faults', index] } as const;
    if (!existing) {
      return [
        {
          ...shared,
          action: 'create',
          changes: [],
          async run(context) {
            const { share = 1, isEnabled = true } = settings;
            const { id } = await context.api.createFault({ ...at(context), body: { operationId, share, effect } });
            if (!isEnabled) await context.api.updateFault({ ...at(context), faultId: id, body: { isEnabled } });
            return { id };
          },
        },
      ];
    }
    const changes = differences(settings, existing);
    if (changes.length === 0) return [];
    return [
      {
        ...shared,
        action: 'update',
        changes,
        async run(context) {
          await context.api.updateFault({ ...at(context), faultId: existing.id, body: settings });
          return { id: existing.id };
        },
      },
    ];
  });
}

/** Returns the removals of the objects that the file does not name, in the parts that the file has. */
function planRemovals({ keys, endpoints, faults }: AppFile, state: AppState): Change[] {
  const removal = (of: Pick<Change, 'action' | 'kind' | 'name' | 'run'>): Change => ({
    ...of,
    changes: [],
    path: [],
    warning: `${of.action}s the ${of.kind} ${of.name}`,
  });
  const paired = pairFaults(faults ?? [], state);
  return [
    ...state.faults
      .filter((one) => faults !== undefined && !paired.includes(one))
      .map((one) =>
        removal({
          action: 'delete',
          kind: 'fault',
          name: faultName(one),
          async run(context) {
            await context.api.deleteFault({ ...at(context), faultId: one.id });
            return { id: one.id };
          },
        }),
      ),
    ...state.endpoints
      .filter((one) => endpoints?.every((spec) => urlOf(spec) !== urlOf(one)))
      .map((one) =>
        removal({
          action: 'delete',
          kind: 'endpoint',
          name: one.url,
          async run(context) {
            await context.api.deleteEndpoint({ ...at(context), endpointId: one.id });
            return { id: one.id };
          },
        }),
      ),
    ...state.keys
      .filter((one) => keys?.every(({ name }) => name !== one.name))
      .map((one) =>
        removal({
          action: 'revoke',
          kind: 'key',
          name: one.name,
          async run(context) {
            await context.api.revokeKey({ ...at(context), keyId: one.id });
            return { id: one.id };
          },
        }),
      ),
  ];
}

/** Returns the fields of `wanted` that `current` has with another value. Objects are compared by the wanted fields. */
function differences(wanted: object, current: object | undefined): string[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const before = (current as Record<string, unknown> | undefined)?.[field];
    return contains(before, value) ? [] : [`${field}: ${cellOf(before)} to ${cellOf(value)}`];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const contains = (current: unknown, wanted: unknown): boolean =>
  isObject(wanted)
    ? isObject(current) && Object.entries(wanted).every(([field, value]) => contains(current[field], value))
    : isSame(current, wanted);

/** Compares lists as sets, because the lists of the file (scopes, event types, conditions) have no order. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return isSubset(one, other) && isSubset(other, one);
  if (isObject(one) && isObject(other))
    return contains(one, other) && Object.keys(one).length === Object.keys(other).length;
  return one === other;
}

const isSubset = (some: readonly unknown[], all: readonly unknown[]): boolean =>
  some.every((value) => all.some((one) => isSame(one, value)));
