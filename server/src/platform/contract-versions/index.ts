// The versions of an operator's contract: the comparison of two of them, and the one that a plane keeps.
export { compareContracts, contractSnapshot } from './contract-comparison.ts';
export { adoptContract } from './stored-contract.ts';
