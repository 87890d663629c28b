// Fuzzing of /v1 under the contract that SLIPWAY_CONTRACT names, which must be set before this module is imported.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyResource, resources } from '../src/access/contracts/index.ts';
import { publicDocument, publicOperations } from '../src/listeners/sandbox-api.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { fuzz, printStatuses, TIMEOUT_MS, warmUp } from './fuzz/fuzz-operation.ts';
import { createSurface, fuzzed, type Surface } from './fuzz/fuzzed-service.ts';

const OPERATIONS = fuzzed(publicOperations, '');

/** Returns the names under which parameters and fields contain the identifier of an object of the resource. */
const namesOf = ({ idName, identity, kind }: AnyResource): string[] => [
  idName,
  ...(identity?.field === undefined || identity.field === 'id' ? [] : [identity.field]),
  ...resources.flatMap(({ parent, parentField }: AnyResource) =>
    parent?.kind === kind && parentField !== undefined ? [parentField] : [],
  ),
];

/** Returns the identifiers of all objects by the names of parameters and fields. */
async function readIdentifiers({ database }: Sandbox): Promise<Map<string, unknown[]>> {
  const { rows } = await database.superuser.query<{ kind: string; key: string }>('select kind, key from objects');
  return new Map(
    resources.flatMap((resource: AnyResource) => {
      const keys = rows.flatMap(({ kind, key }) => (kind === resource.kind ? [key] : []));
      const values = resource.identity?.form === 'integer' ? keys.map(Number) : keys;
      return namesOf(resource).map((name) => [name, values] as const);
    }),
  );
}

/** Registers a test for each operation. `beyondSchema` are pointers of fields with rules that no schema expresses. */
export function fuzzOwnContract(beyondSchema: readonly string[]): void {
  let sandbox: Sandbox;
  let surface: Surface;
  beforeAll(async () => {
    sandbox = await startSandbox();
    const { token } = await (await sandbox.newApp()).key();
    surface = createSurface({
      name: '/v1',
      listener: 'api',
      url: sandbox.apiUrl,
      operations: OPERATIONS,
      document: publicDocument('http://sandbox.test', 'http://sandbox.test/problems'),
      credentials: async () => [['Authorization', `Bearer ${token}`]],
      databases: [sandbox.database.superuser],
      beyondSchema: new Set(beyondSchema),
      namedValues: () => readIdentifiers(sandbox),
    });
    await warmUp(surface);
  });
  afterAll(async () => {
    await sandbox.close();
    printStatuses();
    expect(sandbox.errors).toEqual([]);
  });
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s obeys the laws for all generated requests',
    (_, operation) => fuzz(surface, operation),
    TIMEOUT_MS,
  );
}
