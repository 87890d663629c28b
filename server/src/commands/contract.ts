// `slipway-server contract`: imports, checks and compares contracts. Nothing listens, and no database is needed.
import { type ContractDeclaration, ContractError, loadContract, productionErrors } from '../access/contracts/index.ts';
import { ConfigError } from '../config/config.ts';
import { compareContracts, contractSnapshot } from '../platform/contract-versions/index.ts';
import { type Command, type CommandContext, readArguments } from './command.ts';
import { importFile } from './contract-import/index.ts';

export const CONTRACT_USAGE = `slipway-server contract import FILE --out FOLDER   write a contract from an OpenAPI 3.0 or 3.1 document, and list what it cannot express
slipway-server contract sdk --out FOLDER          write a TypeScript client of the contract in SLIPWAY_CONTRACT
slipway-server contract check FOLDER            run the modules of a contract and report its mistakes
slipway-server contract diff FOLDER FOLDER      list the changes from the first contract to the second; fails if one breaks clients or data`;

type Print = CommandContext['print'];

export const contractCommand: Command = async ([name, ...args], { print }) => {
  if (name === 'import') {
    const { out, positionals } = readOut(args, 1);
    await importFile(positionals[0] ?? '', out, print);
    return true;
  }
  if (name === 'sdk') {
    const { out } = readOut(args, 0);
    const { writeSdk } = await import('./contract-sdk/index.ts'); // all operations, which the other commands do not need
    print(`Written: ${await writeSdk(out)}`);
    return true;
  }
  if (name === 'check') {
    const [folder = ''] = readArguments(args, { usage: CONTRACT_USAGE, count: 1 }).positionals;
    return check(folder, print);
  }
  if (name !== 'diff') throw new ConfigError(`There is no command "contract ${name ?? ''}".\n${CONTRACT_USAGE}`);
  const [before = '', after = ''] = readArguments(args, { usage: CONTRACT_USAGE, count: 2 }).positionals;
  return diff(before, after, print);
};

function readOut(args: string[], count: number): { out: string; positionals: string[] } {
  const options = { out: { type: 'string' } } as const;
  const { options: given, positionals } = readArguments(args, { options, usage: CONTRACT_USAGE, count });
  if (typeof given.out !== 'string' || given.out === '') throw new ConfigError(`--out is missing.\n${CONTRACT_USAGE}`);
  return { out: given.out, positionals };
}

async function check(folder: string, print: Print): Promise<boolean> {
  const contract = await load(folder, print);
  if (contract) print(`The contract ${contract.name} is valid: ${summaryOf(contract)}.`);
  for (const error of contract ? productionErrors(contract) : []) print(`Production would refuse it: ${error}`);
  return contract !== undefined;
}

/** Resolves to the contract of a folder; undefined after its mistakes were printed. */
async function load(folder: string, print: Print): Promise<ContractDeclaration | undefined> {
  try {
    return await loadContract(folder);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    for (const mistake of error.mistakes) print(mistake);
    return undefined;
  }
}

function summaryOf({ resources, scopes }: ContractDeclaration): string {
  const sizeOf = (name: 'operations' | 'events'): number =>
    resources.reduce((sum, one) => sum + Object.keys(one[name] ?? {}).length, 0);
  const counts = { resource: resources.length, operation: sizeOf('operations'), event: sizeOf('events') };
  const words = Object.entries(counts).map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return `${words.join(', ')}, ${Object.keys(scopes).length} scopes`;
}

async function diff(before: string, after: string, print: Print): Promise<boolean> {
  const [old, current] = [await load(before, print), await load(after, print)];
  if (!old || !current) return false;
  const { breaking, added, removed, deprecated } = compareContracts(contractSnapshot(old), contractSnapshot(current));
  for (const change of breaking) print(`breaking    ${change}`);
  for (const part of removed) print(`removed     ${part}`);
  for (const part of deprecated) print(`deprecated  ${part}`);
  for (const part of added) print(`added       ${part}`);
  const isSame = [breaking, added, removed, deprecated].every(({ length }) => length === 0);
  print(isSame ? 'The contracts are the same for clients and data.' : `Breaking changes: ${breaking.length}.`);
  return breaking.length === 0;
}
