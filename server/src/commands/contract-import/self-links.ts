// The field of an object with its own address, such as `_links.self`, and its other links.
import { type OperationDeclaration, pathNames } from '../../access/contracts/index.ts';
import type { Part } from './part.ts';
import { idNameOf, type Plan } from './plans.ts';
import type { Schema } from './schemas.ts';
import { fieldsOf, typeOf } from './shapes.ts';
import { wordsOf } from './words.ts';

const LINKS = /^_?links$/i;
const SELF = ['self', 'selfurl', 'selflink', 'selfuri', 'href'];

/**
 * Returns the path of the field with the address of the object; undefined without such a field, or without an operation
 * whose path follows from the fields of the object. Reports the links whose addresses the sandbox makes.
 */
export function selfFieldOf(
  plan: Plan,
  fields: Readonly<Record<string, Schema>>,
  { parentField, operations }: { parentField: string | undefined; operations: readonly OperationDeclaration[] },
): string | undefined {
  const known = [idNameOf(plan), ...(plan.parent && parentField !== undefined ? [idNameOf(plan.parent)] : [])];
  const isRead = operations.some(
    ({ effect, path }) => effect === 'get' && pathNames(path).every((name) => known.includes(name)),
  );
  const links = linksOf(plan.schema).filter(({ path }) => Object.hasOwn(fields, path.split('.')[0] ?? ''));
  const own = isRead ? links.find(({ isSelf }) => isSelf) : undefined;
  for (const link of links)
    if (link !== own) link.part.report('is a link. The sandbox makes its address from the schema');
  return own?.path;
}

interface ObjectLink {
  path: string;
  part: Part;
  isSelf: boolean;
}

function linksOf(schema: Part): ObjectLink[] {
  return [...fieldsOf(schema)].flatMap(([name, field]) => {
    const target = field.target();
    if (!target) return [];
    if (!LINKS.test(name)) return isSelf(name) ? linkOf(name, name, target) : [];
    return [...fieldsOf(target)].flatMap(([inner, part]) => {
      const link = part.target();
      return link ? linkOf(`${name}.${inner}`, inner, link) : [];
    });
  });
}

const isSelf = (name: string): boolean => SELF.includes(wordsOf(name).join(''));

/** Returns a link that is a text, or an object with a text such as `href`. */
function linkOf(path: string, name: string, part: Part): ObjectLink[] {
  if (typeOf(part) === 'string') return [{ path, part, isSelf: isSelf(name) }];
  const addresses = ['href', 'url', 'uri'].map((field) => fieldsOf(part).get(field)?.target());
  return addresses.some((one) => one && typeOf(one) === 'string') ? [{ path, part, isSelf: isSelf(name) }] : [];
}
