// Which object grants the scopes of an operation: the object of the granting resource that the operation reaches, or the
// account of the app.
import { canCreate } from './creating-operation.ts';
import type { AnyResource } from './declaration.ts';
import type { OperationDeclaration } from './operation-declaration.ts';
import { objectSchemaOf } from './request-body.ts';

/** Returns true if objects of the resource grant scopes, or are below objects that do. */
export const isGranted = ({ grants, parent }: AnyResource): boolean =>
  grants === true || (parent !== undefined && isGranted(parent));

type Report = (field: string, detail: string) => void;

/** Reports the parts that a granting resource cannot have: sandbox data makes its objects, and only a reset removes them. */
export function checkGrantor({ grants, parent, operations = {}, events }: AnyResource, report: Report): void {
  if (!grants) return;
  if (parent) report('grants', 'must not be declared for a resource with a parent');
  for (const [id, { effect, creates }] of Object.entries(operations)) {
    if (effect === 'create' || effect === 'delete')
      report(`operations.${id}.effect`, `must not be ${effect}, because the resource grants scopes`);
    if (creates) report(`operations.${id}.creates`, 'must not be declared, because the resource grants scopes');
  }
  for (const [type, { creates, deletes }] of Object.entries(events)) {
    const change = (creates && 'creates') || (deletes && 'deletes');
    if (change) report(`events['${type}'].${change}`, 'must not be declared, because the resource grants scopes');
  }
}

/** Reports an operation on a granted resource from whose request no granting object follows. */
export function checkReach(one: AnyResource, declared: OperationDeclaration, report: Report): void {
  const { effect, path, params = {} } = declared;
  if (!isGranted(one) || effect === 'list') return; // a list returns the objects whose grants permit it
  if (one.grants && declared.creates) return; // checkGrantor reports it
  const names: string[] = [];
  for (let above = canCreate(declared) ? one.parent : one; above; above = above.parent) names.push(above.idName);
  if (names.some((name) => path.includes(`{${name}}`) && !Object.hasOwn(params, name))) return;
  const required: unknown = Reflect.get(Object(objectSchemaOf(declared)), 'required');
  const isInBody = effect === 'create' && Array.isArray(required) && required.includes(one.parentField);
  if (isInBody) return;
  report(
    'path',
    `requires ${names.map((name) => `{${name}}`).join(' or ')}, because the operation reaches no object that grants`,
  );
}
