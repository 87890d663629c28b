// The parts of a contract that the sandbox serves and production cannot.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContractError } from './contract-error.ts';
import type { AnyResource, ContractDeclaration } from './declaration.ts';
import { contract } from './installed.ts';
import type { OperationDeclaration } from './operation-declaration.ts';
import { grantorOf, reachOf } from './reach.ts';

/** Returns a sentence with file, field and reason for each part that production cannot serve. */
export function productionErrors({ resources }: Pick<ContractDeclaration, 'resources'>): string[] {
  return resources.flatMap((one) => {
    const at = `${basename(fileURLToPath(one.file))}: ${one.name}.`;
    const ofOperations = Object.entries(one.operations ?? {}).flatMap(([id, declared]) =>
      operationErrors(one, declared).map((error) => `${at}operations.${id}.${error}.`),
    );
    const isUnnamed = one.identity !== undefined && one.identity.field === undefined;
    const hasEvents = Object.keys(one.events).length > 0;
    const ofEvents = `${at}identity.field is required for production, because a reported event names its object.`;
    return isUnnamed && hasEvents ? [...ofOperations, ofEvents] : ofOperations;
  });
}

function operationErrors(resource: AnyResource, declared: OperationDeclaration): string[] {
  const { method, content } = declared;
  const errors: string[] = [];
  if (!reachOf(resource, declared)) {
    const name = grantorOf(resource)?.idName;
    errors.push(
      `path requires {${name}} for production, because the granting object follows neither from the path nor from fields of the objects`,
    );
  }
  if (method !== 'GET' && content.of === 'file')
    errors.push(
      'content must not be a file for production, because responses to changes are stored for retries as text',
    );
  return errors;
}

/** Throws a ContractError if production cannot serve the contract of this process. */
export function requireProductionContract(): void {
  const errors = productionErrors(contract);
  if (errors.length > 0) throw new ContractError('Production cannot serve the contract.', errors);
}
