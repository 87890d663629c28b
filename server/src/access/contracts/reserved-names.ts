// Names that a contract cannot use, because the platform or the languages of the clients have them.

/** The first parts of the platform's own paths under `/v1`. */
const RESERVED_PATHS = new Set(['events', 'leaked-keys', 'me', 'openapi.json']);

export const isReservedPath = (part: string): boolean => RESERVED_PATHS.has(part.toLowerCase()) || /^[.~]/.test(part);

/** The platform's own components, which every contract contains, and the types of every generated client. */
const COMPONENTS =
  'ApiCatalog Event EventList EventSubject LeakReport LeakedKey Me Problem ReceiptKeys ScopeChange ScopeGrant ' +
  'ScopeStates SecretScanningFeedback SecretScanningMatches ServerInstallation PingV1 InstallationPausedV1 ' +
  'InstallationResumedV1 InstallationScopeChangedV1 ApiClient Operations Streams WebhookEvent';

/** Types that programs in TypeScript, Python or Go use without an import. A client exports a type for each resource. */
const GLOBALS =
  'Any Array ArrayBuffer Atomics BigInt Blob Boolean Buffer Date Element Error Exception Exclude Extract Function ' +
  'Headers Infinity Int Iterator JSON List Map Math NaN Never Node None NonNullable Number Object Omit Optional Partial ' +
  'Pick Promise Proxy Range Readonly Record Reflect RegExp Request Required Response Set String Symbol Text True False ' +
  'Type Union Unknown URL Void WeakMap WeakSet Window';

const RESERVED_SCHEMAS = new Set(`${COMPONENTS} ${GLOBALS}`.split(' '));

export const isReservedSchema = (name: string): boolean => RESERVED_SCHEMAS.has(name);

/** The platform's own operations in the document of every contract. */
const OPERATIONS =
  'getMe listEvents getEvent reportLeakedKey reportGithubMatches getReceiptKeys getOpenapi getApiCatalog ' +
  'getProblemIndex getProblemPage getDeprecationIndex getDeprecationPage';

/** Clients in Python and Go write the names of operations in another form, such as `get_me`. */
const formOf = (name: string): string => name.replaceAll('_', '').toLowerCase();

const RESERVED_OPERATIONS = new Set(OPERATIONS.split(' ').map(formOf));

export const isReservedOperation = (name: string): boolean => RESERVED_OPERATIONS.has(formOf(name));

/** Returns whether objects of JavaScript inherit a property of this name, such as `constructor`. */
export const isInherited = (name: string): boolean =>
  name in Object.prototype || name === 'prototype' || name === 'caller' || name === 'arguments';
