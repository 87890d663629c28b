// The contract of this process, and the parts of it that the rest of the server reads. Schemas contain scopes and event
// types and are built when their modules are evaluated, so the contract is loaded before any of these modules.
import { community } from './community/contract.ts';
import { ContractError } from './contract-error.ts';
import type { AnyResource, ContractDeclaration, DeclaredDeprecation, EventDeclaration } from './declaration.ts';
import { loadContract } from './load-contract.ts';
import { presetCounts } from './object-limits.ts';

/** The setting with the folder of the contract. Without it, the process serves `community`. */
export const CONTRACT_SETTING = 'SLIPWAY_CONTRACT';

/** The sandbox data of a contract that declares no preset. */
const PRESET_COUNT = 10;
const DEFAULT_TICK_MS = 600_000;

// config.ts cannot read the setting: config.ts imports modules whose schemas contain scopes.
const folder = process.env[CONTRACT_SETTING]?.trim() || undefined;

const installed: ContractDeclaration = folder === undefined ? community : await loadOwn(folder);

async function loadOwn(from: string): Promise<ContractDeclaration> {
  try {
    return withPresets(await loadContract(from));
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new ContractError(`The contract that ${CONTRACT_SETTING} names is invalid.`, error.mistakes);
  }
}

/** Adds a preset of sandbox data to a contract that declares none. */
function withPresets(own: ContractDeclaration): ContractDeclaration {
  if (Object.keys(own.presets).length > 0) return own;
  const counts = presetCounts(own.resources, PRESET_COUNT, PRESET_COUNT);
  const small = { meaning: 'ten objects of each resource', counts, script: 'plain', tickMs: DEFAULT_TICK_MS } as const;
  return { ...own, presets: { small } };
}

/** True if an operator's contract is installed in place of the default one. */
export const isOperatorContract = folder !== undefined;

/**
 * The contract of this process. Its type has the names of the default contract, so that the compiler finds misspelt
 * names. An operator's contract has other names: code that names a scope or a resource must check `isOperatorContract`.
 */
export const contract = installed as typeof community & Pick<ContractDeclaration, 'version'>;

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

/** The deprecated parts of this contract. */
export const declaredDeprecations: readonly DeclaredDeprecation[] = installed.deprecations ?? [];

/** The events about resources, in the order of the resources; those of the grantor come last. */
export const resourceEvents = [...resources.filter((one) => one !== grantor), ...(grantor ? [grantor] : [])].flatMap(
  (resource) =>
    Object.entries(resource.events).map(([type, event]: [string, EventDeclaration]) => ({
      type: type as ResourceEventType, // the keys of `events`
      resource,
      event,
    })),
);
