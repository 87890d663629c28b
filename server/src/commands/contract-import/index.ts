// Imports an OpenAPI 3.0 or 3.1 document as a contract: data only, and the list of all that a contract cannot express.
export { DocumentError } from './document.ts';
export { contractFiles } from './emit.ts';
export { importDocument } from './import-document.ts';
export { importFile } from './import-file.ts';
