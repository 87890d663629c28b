// Compares two contracts: lists the changes that break clients or existing data, and the other changes.
import type { AnyResource, ContractDeclaration } from '../../access/contracts/index.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { contractChanges } from '../../kit/openapi/contract-changes.ts';
import { breakingChanges, type Contract } from '../../kit/openapi/contract-diff.ts';
import { contractDocument } from './contract-document.ts';
import { type AnnouncedEnds, announcedEnds, deprecationChanges } from './deprecation-changes.ts';

interface ContractDifference {
  breaking: string[];
  /** Additions, removals and deprecations, as they are listed for readers. */
  added: string[];
  removed: string[];
  deprecated: string[];
}

type StoredFacts = Record<string, string | boolean>;

/** The parts of a contract that the comparison reads. It can be written as JSON. */
export interface ContractSnapshot {
  scopes: string[];
  /** Facts about the stored objects of each resource, by its name. */
  resources: Record<string, StoredFacts>;
  document: Contract;
  /** Missing in a snapshot that an earlier release stored. */
  deprecations?: AnnouncedEnds;
}

/** The snapshot of a declaration, with all parts. */
type CurrentSnapshot = Required<ContractSnapshot>;

export const contractSnapshot = (contract: ContractDeclaration): CurrentSnapshot => ({
  scopes: Object.keys(contract.scopes),
  resources: Object.fromEntries(contract.resources.map((one) => [one.name, storedFacts(one)])),
  document: contractDocument(contract),
  deprecations: announcedEnds(contract.deprecations ?? []),
});

/** Compares two contracts at a time, because the end of a deprecation must be in the future when it is announced. */
export function compareContracts(
  before: ContractSnapshot,
  after: CurrentSnapshot,
  timeMs = nowMs(),
): ContractDifference {
  const { added, removed, deprecated } = contractChanges(before.document, after.document);
  const ends = deprecationChanges(before.deprecations, after.deprecations, timeMs);
  const scopes = after.scopes.filter((scope) => !before.scopes.includes(scope));
  return {
    breaking: [...dataChanges(before, after), ...breakingChanges(before.document, after.document), ...ends.breaking],
    added: [...scopes.map((scope) => `Scope \`${scope}\``), ...added],
    removed,
    deprecated: [...deprecated, ...ends.deprecated],
  };
}

/** Returns the changes after which stored objects, keys or grants are invalid. */
function dataChanges(before: ContractSnapshot, after: ContractSnapshot): string[] {
  const scopes = before.scopes.filter((scope) => !after.scopes.includes(scope));
  const resources = Object.entries(before.resources).flatMap(([name, was]) => {
    const is = Object.hasOwn(after.resources, name) ? after.resources[name] : undefined;
    return is ? storedChanges(name, was, is) : [`resource ${name}: removed`];
  });
  return [...scopes.map((scope) => `scope ${scope}: removed`), ...resources];
}

const storedFacts = (one: AnyResource): StoredFacts => ({
  kind: one.kind,
  plural: one.plural,
  idPrefix: one.idPrefix,
  parent: one.parent?.name ?? 'none',
  origin: one.origin,
  grants: one.grants ?? false,
  'identity.form': one.identity?.form ?? 'prefixed',
  'identity.field': one.identity?.field ?? 'none',
  stateField: one.states ? (one.stateField ?? 'status') : 'none',
});

const storedChanges = (name: string, was: StoredFacts, is: StoredFacts): string[] =>
  Object.keys(was)
    .filter((fact) => was[fact] !== is[fact])
    .map((fact) => `resource ${name}: ${fact} went from ${was[fact]} to ${is[fact]}`);
