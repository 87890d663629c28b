// The objects of new sandbox data, for resources without a table of their own. Equal inputs return equal bytes.
import {
  type AnyResource,
  acceptsAnyValue,
  type CharacterSet,
  countBelowParent,
  createSeededRandom,
  drawField,
  fits,
} from '../../access/contracts/index.ts';
import {
  accountOf,
  type Fields,
  idFieldOf,
  keyOfId,
  type NewStoredObject,
  newKey,
  objectReader,
  stateOf,
} from '../../resources/objects/index.ts';
import { createdTimes, ownFields, parentFields, withAlternative, withRules } from '../../resources/operations/index.ts';
import { derivedUuid, HISTORY_ENDS_MS, timeSlotOf } from '../../resources/synthetic.ts';

const FROM_MS = Date.UTC(2025, 0, 1);
const HALF_TIME_COUNT = 10;

interface SandboxOrigin {
  appId: string;
  seed: string;
  epoch: number;
  script: CharacterSet;
}

/** Returns the objects of each resource, parents first. `counts` are those of a preset. */
export function sandboxObjects(
  resources: readonly AnyResource[],
  world: SandboxOrigin,
  counts: Readonly<Record<string, number>>,
): Map<AnyResource, NewStoredObject[]> {
  const all = new Map<AnyResource, NewStoredObject[]>();
  for (const resource of resources) {
    const parents = resource.parent ? (all.get(resource.parent) ?? []) : [undefined];
    const count = countBelowParent(resource, counts);
    const keys = new Set<string>();
    all.set(
      resource,
      parents.flatMap((parent) =>
        Array.from({ length: count }, (_, index) => sandboxObject(resource, world, parent, index, keys)),
      ),
    );
  }
  return all;
}

/** Returns an object with a key that is not among `keys`, and adds its key. */
function sandboxObject(
  resource: AnyResource,
  world: SandboxOrigin,
  parent: NewStoredObject | undefined,
  index: number,
  keys: Set<string>,
): NewStoredObject {
  const { appId, seed, epoch, script } = world;
  const { kind, sandbox, hidden = {} } = resource;
  const above = parent?.object_id ?? `${appId}/${seed}/${epoch}`;
  const origin = `${above}/${sandbox?.segment ?? kind}/${index}`;
  const draw = createSeededRandom(origin);
  const fromMs = parent ? Date.parse(parent.created_at) : FROM_MS;
  const slot = timeSlotOf(fromMs, HISTORY_ENDS_MS, index + (parent ? 1 : 0), sandbox?.halfTimeCount ?? HALF_TIME_COUNT);
  const createdMs = slot.atMs + draw.number(slot.spanMs);
  const objectId = derivedUuid(origin, createdMs);
  const sample = resource.samples?.[keys.size] as Fields | undefined; // checked by defineContract
  const key = freeKey(resource, sample, objectId, keys);
  const made: Fields = sandbox
    ? { ...resource.defaults, ...(sandbox.synthesise({ draw, index, createdMs, script }) as Fields) } // as above
    : (sample ?? drawnFields(resource, origin, new Date(createdMs)));
  const isHidden = (name: string): boolean => Object.hasOwn(hidden, name);
  const given = { ...ownFields(resource, made), ...(parent && parentFields(resource, parent)) };
  const data = isValid(resource, key, given) ? given : { ...ownFields(resource, resource.example as Fields), ...given };
  return {
    object_id: objectId,
    kind,
    key,
    server_id: parent?.server_id ?? (resource.grants ? objectId : accountOf(appId)),
    parent_id: parent?.object_id ?? null,
    state: stateOf(resource, data),
    data,
    hidden: Object.fromEntries(Object.entries(made).filter(([name]) => isHidden(name))),
    request_id: null,
    event_sequence: 0,
    due_in_ms: null,
    created_at: new Date(createdMs).toISOString(),
  };
}

const isValid = (resource: AnyResource, key: string, data: Fields): boolean =>
  fits(resource.schema, objectReader(resource)({ key, data }));

/** Returns the identifier of the sample, or the next one. */
function freeKey(resource: AnyResource, sample: Fields | undefined, objectId: string, keys: Set<string>): string {
  const idField = idFieldOf(resource);
  const named = idField === undefined || !sample ? undefined : sample[idField];
  let number = keys.size + 1;
  let key = named === undefined ? newKey(resource, objectId, number) : keyOfId(resource, named);
  while (keys.has(key)) key = newKey(resource, objectId, ++number);
  keys.add(key);
  return key;
}

/** Returns a value for each field, drawn from its schema, except an optional field that accepts any value. */
function drawnFields(resource: AnyResource, origin: string, createdAt: Date): Fields {
  const { fields, optional = [], example } = resource;
  const isLeftOut = (field: string): boolean =>
    optional.includes(field) && !Object.hasOwn(example, field) && acceptsAnyValue({ ...fields[field] });
  const drawn = Object.keys(fields).flatMap((field) => {
    if (isLeftOut(field)) return [];
    const value = drawField(resource, field, origin);
    return value === undefined ? [] : [[field, value]];
  });
  const values = { ...Object.fromEntries(drawn), ...createdTimes(resource, createdAt) };
  return withRules(resource, withAlternative(resource, values, {}, `${origin}/alternative`), {});
}
