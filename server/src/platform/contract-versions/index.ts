// The versions of an operator's contract: the comparison of two versions, and the version that a plane stores.
export { compareContracts, contractSnapshot } from './contract-comparison.ts';
export { adoptContract } from './stored-contract.ts';
