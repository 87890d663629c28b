// Imports an OpenAPI 3.0 or 3.1 document as a contract: data only, and the list of all that a contract cannot express.
export { DocumentError, MAX_BYTES } from './document.ts';
export { type ContractFile, contractFiles } from './emit.ts';
export { type ImportedContract, importDocument } from './import-document.ts';
