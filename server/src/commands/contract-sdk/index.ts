// `slipway-server contract sdk`: a TypeScript client of the contract of this process.
export { callsOf, type Document, generateSource } from './generate.ts';
export { withOpenNames } from './open-names.ts';
export { writeSdk } from './write-sdk.ts';
