// Loads the contract of a folder: `contract.mjs`, or `contract.ts` where Node.js strips types. A contract is the
// operator's code and runs in this process, so the folder must be trusted like the server itself.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as schemas from '../../kit/http/schema.ts';
import { resource } from './contract.ts';
import { ContractError } from './contract-error.ts';
import { contractErrors } from './contract-errors.ts';
import type { AnyResource, ContractDeclaration, ResourceDeclaration } from './declaration.ts';
import { contractShapeErrors, resourceShapeErrors } from './declaration-shape.ts';
import { deprecationErrors } from './deprecation-errors.ts';
import { limitErrors } from './object-limits.ts';

const ENTRIES = ['contract.mjs', 'contract.ts'];

/** Resolves to the contract of a folder. Rejects with a ContractError that lists each mistake. */
export async function loadContract(folder: string): Promise<ContractDeclaration> {
  const file = entryOf(resolve(folder));
  const factory = await importFactory(file);
  const kit = createKit();
  let result: unknown;
  try {
    result = factory(kit.functions);
  } catch (error) {
    kit.mistakes.push(`${file} throws an error: ${messageOf(error)}.`);
  }
  if (kit.mistakes.length > 0) throw new ContractError('The contract is invalid.', kit.mistakes);
  const contract = kit.defined.find((one) => one === result);
  if (!contract) throw refuse(`${file} must return the result of \`kit.defineContract\`.`);
  return contract;
}

function entryOf(folder: string): string {
  const found = ENTRIES.filter((name) => existsSync(join(folder, name)));
  const [entry] = found;
  if (entry === undefined) throw refuse(`The folder ${folder} must contain ${ENTRIES.join(' or ')}.`);
  if (found.length > 1) throw refuse(`The folder ${folder} must contain only one of ${ENTRIES.join(' and ')}.`);
  const canStrip = Boolean(Reflect.get(process.features, 'typescript'));
  if (entry.endsWith('.ts') && !canStrip)
    throw refuse(
      `contract.ts requires Node.js 22.18 or later, which strips types. This process runs ${process.version}: use contract.mjs.`,
    );
  return join(folder, entry);
}

async function importFactory(file: string): Promise<(kit: object) => unknown> {
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw refuse(`${file} cannot be loaded: ${messageOf(error)}.`);
  }
  if (typeof module.default !== 'function')
    throw refuse(`${file} must have a default export that is a function of the kit.`);
  return module.default as (kit: object) => unknown; // checked above
}

const refuse = (mistake: string): ContractError => new ContractError('The contract is invalid.', [mistake]);
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/\.$/, '') ?? '';

interface Kit {
  functions: object;
  defined: ContractDeclaration[];
  mistakes: string[];
}

/** Returns the functions that a contract calls, with the contracts that they define and the mistakes that they find. */
function createKit(): Kit {
  const made = new Set<AnyResource>();
  const defined: ContractDeclaration[] = [];
  const mistakes: string[] = [];
  const kit = {
    ...schemas,
    resource(declaration: ResourceDeclaration): AnyResource {
      const errors = resourceShapeErrors(declaration);
      const { parent } = Object(declaration);
      if (errors.length === 0 && parent !== undefined && !made.has(parent))
        errors.push(`${declaration.name}.parent must be the result of \`kit.resource\`.`);
      mistakes.push(...errors);
      // All mistakes are reported together, so the module continues with the declaration itself.
      const result: AnyResource = errors.length > 0 ? Object(declaration) : resource<ResourceDeclaration>(declaration);
      made.add(result);
      return result;
    },
    defineContract(declaration: ContractDeclaration): ContractDeclaration {
      const errors = contractShapeErrors(declaration);
      if (errors.length === 0 && declaration.resources.some((one) => !made.has(one)))
        errors.push('The contract’s resources must be results of `kit.resource`.');
      mistakes.push(...errors);
      if (mistakes.length === 0) {
        const checks = [contractErrors, limitErrors, deprecationErrors];
        mistakes.push(...checks.flatMap((check) => check(declaration)));
      }
      defined.push(declaration);
      return declaration;
    },
  };
  return { functions: Object.freeze(kit), defined, mistakes };
}
