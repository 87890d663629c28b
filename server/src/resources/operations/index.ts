// The operations that a contract declares for its resources.
import { allowKeyRead, allowKeyWriteOnServer, type Plane, type Scope } from '../../access/authority/index.ts';
import {
  type AnyResource,
  canCreate,
  isGranted,
  isSearch,
  type OperationDeclaration,
} from '../../access/contracts/index.ts';
import { type AnyOperation, operation } from '../../kit/http/operation.ts';
import { deprecationsOf } from '../../platform/deprecations/index.ts';
import { repliesOf } from './declared-content.ts';
import { bodySchema, paramsSchema, querySchema } from './declared-inputs.ts';
import { exampleBody } from './example-body.ts';
import { serverOfMutation } from './granting-server.ts';
import { readRun } from './read-operation.ts';
import { writeRun } from './write-operation.ts';

export { advanceDueObjects, hasDueObjects, startDueObjects } from './advance-objects.job.ts';
export { withAlternative } from './alternative-fields.ts';
export { limitOf, type NamedObject, namedObjects, pageRequestOf } from './declared-inputs.ts';
export { envelopeBody, listBody, nextFieldOf } from './envelope.ts';
export { exampleBody, exampleKey, hasKnownParent } from './example-body.ts';
export { composeObject, emitEvents, insertObject, requireDeletable, requireRoom } from './new-object.ts';
export { withRules } from './object-rules.ts';
export {
  changedFields,
  createdTimes,
  isSetByPlatform,
  newFields,
  ownFields,
  parentFields,
  requireValid,
} from './object-values.ts';
export { nextLinkOf, pageLinksOf, withoutPaging } from './page-links.ts';
export { bodyOf, fieldProblem, objectBodyOf, parentFieldOf } from './write-operation.ts';

/** Returns the operations on a resource, in declared order. */
export const declaredOperations = (resource: AnyResource): AnyOperation<Plane>[] =>
  Object.entries(resource.operations ?? {}).map(([id, declared]) => declaredOperation(resource, id, declared));

/** Returns true for a list of the objects whose grants permit it, which no grant refuses. */
const isListOfAll = (resource: AnyResource, { effect, path }: OperationDeclaration): boolean =>
  effect === 'list' && isGranted(resource) && !path.includes('{');

/** Returns whether the document shows a body: for each creation, and for another change if its schema has examples. */
const hasShownBody = (declared: OperationDeclaration): boolean =>
  canCreate(declared) || Array.isArray(Reflect.get(Object(declared.input?.schema), 'examples'));

function declaredOperation(resource: AnyResource, id: string, declared: OperationDeclaration): AnyOperation<Plane> {
  const { method, path, summary, description = summary } = declared;
  const [params, query, body] = [
    paramsSchema(resource, declared),
    querySchema(declared),
    bodySchema(resource, declared),
  ];
  const shared = {
    id,
    route: `${method} /v1${path}` as const,
    tag: resource.tag,
    summary,
    description,
    ...(params && { params }),
    ...(query && { query }),
    replies: repliesOf(resource, declared),
    deprecations: deprecationsOf(id),
  };
  const [first = '', ...further] = declared.scopes as readonly Scope[]; // checked by defineContract
  const scope = first as Scope;
  const accepted = {
    ...(body && { body }),
    ...(declared.input?.type !== undefined && { bodyType: declared.input.type }),
    ...(body && hasShownBody(declared) && { examples: { anObject: exampleBody(resource, declared) } }),
  };
  if (method === 'GET' || isSearch(resource, declared))
    return operation({
      ...shared,
      ...(method !== 'GET' && accepted),
      access: allowKeyRead(scope, { further, runRequiresGrant: !isListOfAll(resource, declared) }),
      run: readRun(resource, declared),
    });
  return operation({
    ...shared,
    ...accepted,
    access: allowKeyWriteOnServer(scope, {
      further,
      isAlone: declared.effect !== 'create',
      serverOf: (tenant, _ids, inputs) => serverOfMutation(tenant, resource, declared, inputs),
    }),
    problems: canCreate(declared) ? ['conflict', 'quota_exceeded'] : ['conflict'],
    run: writeRun(resource, declared),
  });
}
