// The types of the declaration of a contract (contract.ts).
import type { Deprecation } from '../../kit/http/deprecation.ts';
import type { Link } from '../../kit/http/operation.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import type { ProblemCode, ProblemExtra } from '../../kit/openapi/problems.ts';
import type { IdentityDeclaration, OperationDeclaration } from './operation-declaration.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The scope of the feed of events and of deliveries, which every contract has. */
export const EVENT_SCOPE = 'events:read';

/** The character set of the texts of a world. */
export type CharacterSet = 'plain' | 'unicode';

/** A schema version of the data of an event type. */
interface VersionDeclaration {
  /** The name of the schema in the contract. */
  name: string;
  description: string;
  /** The fields after the identifiers, in the order of the JSON. */
  fields: Readonly<Record<string, TSchema>>;
  /** Converts the data of the next newer version. The newest version is converted from the resource. */
  convert(newer: never): object;
}

export interface EventDeclaration {
  meaning: string;
  /** The schema versions of the data from version 1. Without a list, the only version is the resource. */
  versions?: readonly VersionDeclaration[];
  /** True if the creation of the subject emits the event. A trigger then creates the subject, under its parent. */
  creates?: true;
  /** True if a change of the subject emits the event, except a change to a state that has an event. */
  changes?: true;
  /** True if the deletion of the subject emits the event. */
  deletes?: true;
  /** The state of the subject after the event. */
  entering?: string;
  /** Why a trigger is refused in the state of the named object, and in the states of all objects. */
  refusal?: { named: string; any: string };
}

/** The decision of a handler: the values to set, and what follows. */
export interface ObjectChange {
  set: object;
  /** The type of the event of the change. Undefined for a change without an event. */
  event?: string | undefined;
  /** The delay until `onDue` decides about the object. Without it, the object never becomes due again. */
  dueInMs?: number | undefined;
}

/** The decision of a handler that a request is refused. */
interface Refusal {
  problem: ProblemCode;
  extra: ProblemExtra;
}

/** The values from which one object of new sandbox data is made. */
interface SyntheticSeed {
  /** The time of creation was drawn first. */
  draw: SeededRandom;
  /** The number of the object below its parent, from 0. */
  index: number;
  createdMs: number;
  script: CharacterSet;
}

/**
 * How new sandbox data makes the objects of a resource. Each value is derived from the origin of its object: the
 * identifier of the parent, the segment and the index. Another segment or another order of draws therefore changes the
 * data of every app at its next reset.
 */
export interface SandboxDeclaration {
  segment: string;
  /** So many objects are created in the first half of the time since the creation of the parent. */
  halfTimeCount: number;
  /** The number of objects per object of the parent, if the presets do not state it. */
  count?: number;
  /** Returns the fields and hidden fields of an object, without `createdAt`. Pure. */
  synthesise(seed: SyntheticSeed): object;
}

export interface ResourceDeclaration {
  /** The module of the declaration (`import.meta.url`), which messages about mistakes name. */
  file: string;
  /** The name of the schema in the contract. */
  name: string;
  /** The type of the resource as the subject of an event. */
  kind: string;
  /** The name of the resource in counts. */
  plural: string;
  /** The name of the resource in a sentence. */
  noun: string;
  description: string;
  /** The segment of the path under `/v1`, and under the path of an object of the parent. */
  path: string;
  tag: string;
  idPrefix: string;
  /** The resource whose objects contain these objects. Permission is per object of the topmost parent and scope. */
  parent?: AnyResource;
  /** True for the resource whose objects grant scopes to an app. A contract has at most one. */
  grants?: true;
  /** The scope that permits reads, and in the data of events the resource. */
  scope: string;
  /** `made`: apps create the objects, and each app sees only its own. `seeded`: the upstream API or the sandbox does. */
  origin: 'seeded' | 'made';
  /** The fields after `id` and the identifiers of the parents, in the order of the JSON. */
  fields: Readonly<Record<string, TSchema>>;
  /** The fields that an object can lack. */
  optional?: readonly string[];
  /** True if objects can have fields that the contract does not declare. */
  open?: true;
  /** Rules about several fields as JSON Schema, such as `if` with `then`, `not` or `dependentRequired`. */
  rules?: TSchema;
  /** The forms of the objects. Objects that the sandbox makes have the fields of one form. */
  alternatives?: readonly AlternativeDeclaration[];
  /**
   * The identifiers of an API with its own form. The objects then contain the declared fields, and no derived
   * identifiers of parents.
   */
  identity?: IdentityDeclaration;
  /** The field with the identifier of the parent, if objects with an own `identity` contain it. */
  parentField?: string;
  /** The path of the field with the address of the object, such as `_links.self`. */
  selfField?: string;
  /** The field that holds the state; `status` without a declaration. */
  stateField?: string;
  /** Fields that are stored with an object and never returned. */
  hidden?: Readonly<Record<string, TSchema>>;
  /** The values of fields that the creator of an object leaves out. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The states of that field, each with the states that can follow. */
  states?: Readonly<Record<string, readonly string[]>>;
  /** Changes an object that was read before it is returned. */
  present?(object: object): object;
  example: object;
  /** The operation that lists the objects under one object of the parent. */
  list?: ListDeclaration;
  /** The operation that returns one object, `get` and the name. */
  get?: { description: string; exampleName: string };
  /** The operations of an API with its own form, by `operationId`. */
  operations?: Readonly<Record<string, OperationDeclaration>>;
  /** The objects with which sandbox data begins. */
  samples?: readonly object[];
  events: Readonly<Record<string, EventDeclaration>>;
  /** Decides about a new object, from the input of a request and the object of the parent. Pure. */
  onCreate?(request: { input: never; parent: never }): ObjectChange | Refusal;
  /** Decides about an object that is due. Pure. */
  onDue?(occurrence: { object: never; parent: never; now: Date }): ObjectChange;
  /** Without it, new sandbox data has no object of the resource. */
  sandbox?: SandboxDeclaration;
}

/** A form of an object, with the fields that differ from form to form, such as `kind`. */
interface AlternativeDeclaration {
  fields: Readonly<Record<string, TSchema>>;
  /** The fields that each object of the form has. */
  required?: readonly string[];
}

interface ListDeclaration {
  id: string;
  summary: string;
  description: string;
  links: Readonly<Record<string, Link>>;
}

/** A resource of any contract. */
export interface AnyResource extends ResourceDeclaration {
  /** The name of the identifier in paths and in the objects below: `serverId`. */
  idName: string;
  id: TSchema;
  schema: TSchema;
  /** The schema versions of the data of each event type, from version 1. */
  data: Readonly<Record<string, readonly DataVersion[]>>;
}

/** A schema version of the data of an event type, with an example. */
export interface DataVersion {
  schema: TSchema;
  example: object;
  /** Converts the data of the next newer version, or the resource to the newest version. */
  convert(newer: object): object;
}

/** The initial amount of sandbox data. */
interface WorldPreset {
  /** The amount in words. */
  meaning: string;
  /** Objects by resource: of the grantor in total, of other resources per object of their parent. */
  counts: Readonly<Record<string, number>>;
  script: CharacterSet;
  /** Simulated milliseconds between two changes. */
  tickMs: number;
}

/** A deprecated part of the contract, with its announcement, its end and its replacement. */
export interface DeclaredDeprecation extends Deprecation {
  /** The ids of the operations that have the part. None for events, which every read of events has. */
  operations: readonly string[];
}

export interface ContractDeclaration {
  file: string;
  name: string;
  /** The version of the API that the contract describes. */
  version?: string;
  /** The meaning of each scope, in the order in which scopes are listed. */
  scopes: Readonly<Record<string, string>>;
  /** Sets of scopes for the keys of a task. */
  keyPresets: Readonly<Record<string, readonly string[]>>;
  resources: readonly AnyResource[];
  presets: Readonly<Record<string, WorldPreset>>;
  deprecations?: readonly DeclaredDeprecation[];
}
