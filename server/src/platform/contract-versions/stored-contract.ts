// A plane stores the contract under which its data was written. A process with another contract starts only if the
// change breaks neither clients nor data.
import { createHash } from 'node:crypto';
import { CONTRACT_SETTING, type ContractDeclaration, isWritable } from '../../access/contracts/index.ts';
import { compareContracts, contractSnapshot } from './contract-comparison.ts';
import { type ContractDecision, decideContract, type StoredContract } from './store.ts';

/**
 * Stores the contract of this process in a migrated database, if the database has none or the change is not breaking.
 * Returns the reason for which the process must not start; undefined if the process may start. `own` is undefined for
 * the default contract, which is not stored. With `isReadOnly`, nothing is stored.
 */
export async function adoptContract(
  databaseUrl: string,
  own: ContractDeclaration | undefined,
  { isReadOnly = false } = {},
): Promise<string | undefined> {
  const { refusal } = await decideContract(databaseUrl, (stored, hasApps) => decide(stored, hasApps, own), {
    isReadOnly,
  });
  return refusal;
}

const FIX = 'Start with the earlier contract or with an empty database (docs/operate/contracts.md).';

export function decide(
  stored: StoredContract | undefined,
  hasApps: boolean,
  own: ContractDeclaration | undefined,
): ContractDecision {
  if (!own) {
    return stored
      ? { refusal: `The database has data of the contract ${stored.name}, and ${CONTRACT_SETTING} is missing. ${FIX}` }
      : {};
  }
  if (!stored && hasApps) {
    const refusal = `The database has data of the default contract, and ${CONTRACT_SETTING} names the contract ${own.name}. ${FIX}`;
    return { refusal };
  }
  const document = contractSnapshot(own);
  const writableKinds = own.resources.filter(isWritable).map(({ kind }) => kind);
  const hash = createHash('sha256')
    .update(JSON.stringify([document, writableKinds]))
    .digest('hex');
  if (stored?.hash === hash) return {};
  const [first, ...others] = stored ? compareContracts(stored.document, document).breaking : [];
  if (stored && first !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const refusal = `The contract ${own.name} changes the contract ${stored.name} of the database in a way that breaks clients or data: ${first}${more}. ${FIX}`;
    return { refusal };
  }
  return { store: { name: own.name, hash, document, scopes: document.scopes, writableKinds } };
}
