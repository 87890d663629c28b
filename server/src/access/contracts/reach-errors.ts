// The parts of a contract that the sandbox serves and production cannot.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContractError } from './contract-error.ts';
import type { AnyResource, ContractDeclaration } from './declaration.ts';
import { fieldAt } from './envelope.ts';
import { fits } from './example-value.ts';
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
  const reach = reachOf(resource, declared);
  if (reach) return reach.by === 'items' ? totalErrors(declared) : [];
  const name = grantorOf(resource)?.idName;
  return [
    `path requires {${name}} for production, because the granting object follows neither from the path nor from fields of the objects`,
  ];
}

/** Returns the totals that a list of the objects whose grants permit it must have, and production does not know. */
function totalErrors({ content }: OperationDeclaration): string[] {
  const around = content.of === 'list' ? content.around : undefined;
  return Object.entries(around?.values ?? {}).flatMap(([path, value]) => {
    const field = around && fieldAt(around.schema, path);
    const isCount = value === 'total' || value === 'pages';
    return isCount && field?.isRequired && !fits(field.schema, null)
      ? [
          `content.around.schema must not require ${path} for production, because the upstream API counts objects that grants withhold`,
        ]
      : [];
  });
}

/** Throws a ContractError if production cannot serve the contract of this process. */
export function requireProductionContract(): void {
  const errors = productionErrors(contract);
  if (errors.length > 0) throw new ContractError('Production cannot serve the contract.', errors);
}
