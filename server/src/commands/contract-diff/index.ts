// Compares two contracts: which changes clients and existing data survive, and which break them.
import type { AnyResource, ContractDeclaration } from '../../access/contracts/index.ts';
import { contractChanges } from '../../kit/openapi/contract-changes.ts';
import { breakingChanges } from '../../kit/openapi/contract-diff.ts';
import { contractDocument } from './contract-document.ts';

export interface ContractDifference {
  breaking: string[];
  /** Additions, removals and deprecations, as they are listed for readers. */
  added: string[];
  removed: string[];
  deprecated: string[];
}

export function compareContracts(before: ContractDeclaration, after: ContractDeclaration): ContractDifference {
  const [old, current] = [contractDocument(before), contractDocument(after)];
  const { added, removed, deprecated } = contractChanges(old, current);
  const scopes = Object.keys(after.scopes).filter((scope) => !Object.hasOwn(before.scopes, scope));
  return {
    breaking: [...dataChanges(before, after), ...breakingChanges(old, current)],
    added: [...scopes.map((scope) => `Scope \`${scope}\``), ...added],
    removed,
    deprecated,
  };
}

/** Returns the changes after which stored objects, keys or grants have no meaning. */
function dataChanges(before: ContractDeclaration, after: ContractDeclaration): string[] {
  const scopes = Object.keys(before.scopes).filter((scope) => !Object.hasOwn(after.scopes, scope));
  const resources = before.resources.flatMap((was) => {
    const is = after.resources.find(({ name }) => name === was.name);
    return is ? storedChanges(was, is) : [`resource ${was.name}: removed`];
  });
  return [...scopes.map((scope) => `scope ${scope}: removed`), ...resources];
}

function storedChanges(was: AnyResource, is: AnyResource): string[] {
  const facts = (one: AnyResource) => ({
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
  const [old, current] = [facts(was), facts(is)];
  return (Object.keys(old) as (keyof typeof old)[]) // the keys of the facts
    .filter((fact) => old[fact] !== current[fact])
    .map((fact) => `resource ${was.name}: ${fact} went from ${old[fact]} to ${current[fact]}`);
}
