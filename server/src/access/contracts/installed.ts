// The contract of this process, and the parts of it that the rest of the server reads.
import { community } from './community/contract.ts';
import type { AnyResource, EventDeclaration } from './declaration.ts';

export const contract = community;

type ResourceOf = (typeof contract.resources)[number];
type EventsOf<R> = R extends { events: infer Events } ? keyof Events & string : never;

export type Scope = keyof typeof contract.scopes;
export type ResourceKind = ResourceOf['kind'];
/** The type of an event about a resource. */
export type ResourceEventType = EventsOf<ResourceOf>;

/** The name of a resource in counts. */
export type ResourcePlural = ResourceOf['plural'];

/** A resource of this contract. */
export interface InstalledResource extends AnyResource {
  kind: ResourceKind;
  plural: ResourcePlural;
  scope: Scope;
  parent?: InstalledResource;
}

export const resources: readonly InstalledResource[] = contract.resources;

/** The resource whose objects grant scopes. Undefined in a contract without one. */
export const grantor: InstalledResource | undefined = resources.find(({ grants }) => grants);

/** The events about resources, in the order of the resources; those of the grantor come last. */
export const resourceEvents = [...resources.filter((one) => one !== grantor), ...(grantor ? [grantor] : [])].flatMap(
  (resource) =>
    Object.entries(resource.events).map(([type, event]: [string, EventDeclaration]) => ({
      type: type as ResourceEventType, // the keys of `events`
      resource,
      event,
    })),
);
