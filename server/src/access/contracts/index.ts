// The contract of the upstream API: its declaration, and the contract of this process.

export { composePublication, publications } from './community/publications.ts';
export { composeRoadmapItem, hasTargetQuarter, quarterAfter, roadmapItems } from './community/roadmap.ts';
export { servers } from './community/servers.ts';
export { composeTicket, personName, Requester, reference, tickets } from './community/tickets.ts';
export { inputErrors, RunInput, waitingSteps, workflowRuns, workflows } from './community/workflows.ts';
export { defineContract, eventData, olderData, resource } from './contract.ts';
export { ContractError } from './contract-error.ts';
export { contractErrors } from './contract-errors.ts';
export { canCreate, isCreatedStatus } from './creating-operation.ts';
export {
  type AnyResource,
  type CharacterSet,
  type ContractDeclaration,
  type DataVersion,
  type DeclaredDeprecation,
  EVENT_SCOPE,
  type EventDeclaration,
  type ObjectChange,
  type ResourceDeclaration,
} from './declaration.ts';
export { MAX_ENTRIES } from './declaration-shape.ts';
export { drawField } from './drawn-field.ts';
export { drawValue } from './drawn-value.ts';
export {
  fieldAt,
  formsOf,
  PAGE_VALUES,
  type PageValue,
  type ResponseEnvelope,
  valueAt,
  withField,
  withValue,
} from './envelope.ts';
export { acceptsAnyValue, exampleOf, fits } from './example-value.ts';
export { isGranted } from './granting-resource.ts';
export { type IdentifierSpace, identifierSpaceOf, identifiersOf, rulesInWords } from './identifiers.ts';
export { MAX_ID_LENGTH } from './identity-pattern.ts';
export { identitySchema } from './identity-schema.ts';
export {
  CONTRACT_SETTING,
  contract,
  declaredDeprecations,
  grantor,
  type InstalledResource,
  isOperatorContract,
  type ResourceEventType,
  type ResourceKind,
  type ResourcePlural,
  resourceEvents,
  resources,
  type Scope,
} from './installed.ts';
export { isWritable } from './is-writable.ts';
export { loadContract } from './load-contract.ts';
export { countBelowParent, jsonBytes, limitErrors, OBJECT_LIMITS, presetCounts } from './object-limits.ts';
export type { Content, IdentityDeclaration, OperationDeclaration, Paging } from './operation-declaration.ts';
export { isFileType, isJsonType, isPathName, isWireName, nextFieldError } from './operation-errors.ts';
export { patternError } from './pattern-safety.ts';
export { grantorOf, isLocatable, linkField, pathNames, type Reach, reachOf, readOf } from './reach.ts';
export { productionErrors, requireProductionContract } from './reach-errors.ts';
export { isSearch, objectInBody, objectPointerOf, objectSchemaOf } from './request-body.ts';
export { isInherited, isReservedOperation, isReservedPath, isReservedSchema } from './reserved-names.ts';
export { createSeededRandom, type SeededRandom } from './seeded-random.ts';
export { titleFieldsOf } from './title-fields.ts';
