// The path of an operation in the contract: the identifiers of the resource and its parents, and other parameters.
import { isReservedPath, type OperationDeclaration } from '../../access/contracts/index.ts';
import { schemaOfParameter } from './parameters.ts';
import { idNameOf, type Plan } from './plans.ts';
import { type Route, templateOf } from './routes.ts';
import { camel, unique, wordsOf } from './words.ts';

/**
 * Returns the path and its further parameters. A first part that the platform uses itself begins with `mount`. `owners` has
 * the resource of each template. The last
 * parameter of a resource identifies an object. In a list or a creation, none identifies an object of the same resource:
 * `/tasks/{taskId}/subtasks` is about other tasks.
 */
export function pathFor(
  plan: Plan,
  route: Route,
  effect: OperationDeclaration['effect'],
  { mount, owners: all }: { mount: string; owners: ReadonlyMap<string, Plan> },
): Pick<OperationDeclaration, 'path' | 'params'> {
  const chain: Plan[] = [];
  for (let next: Plan | undefined = plan; next; next = next.parent) chain.unshift(next);
  const { segments, operation, parameters } = route;
  const names = new Set(chain.map(idNameOf));
  const params: Record<string, { schema: object; of?: string }> = {};
  const owners = segments.map(({ isParameter }, index) => {
    const template = templateOf(segments.slice(0, index));
    return isParameter
      ? chain.find((one) => one.collections.some((each) => each.parameter && each.template === template))
      : undefined;
  });
  const isOfOthers = effect === 'list' || effect === 'create';
  const parts = segments.map(({ name, isParameter }, index) => {
    if (!isParameter) return index === 0 && isReservedPath(name) ? `${mount}-${name}` : name;
    const owner = owners[index];
    const isLast = owners.lastIndexOf(owner) === index;
    const parameter = parameters.find((part) => part.text('in') === 'path' && part.text('name') === name);
    if (owner && isLast && !(isOfOthers && owner === plan)) {
      const own = idNameOf(owner);
      if (own !== name)
        (parameter ?? operation).report(
          `is the path parameter ${name.slice(0, 60)}, which is called ${own} in the contract`,
        );
      return `{${own}}`;
    }
    const other = owner || effect !== 'create' ? undefined : all.get(templateOf(segments.slice(0, index)));
    const reason = owner ? `names another ${owner.noun} than the operation` : 'identifies no object';
    operation.report(
      other
        ? `has the parameter ${name.slice(0, 60)} in its path, which identifies a ${other.noun}. The sandbox checks that it exists, and does not change it`
        : `has the parameter ${name.slice(0, 60)} in its path, which ${reason}. The contract accepts any value`,
    );
    const words =
      camel(wordsOf(name))
        .replace(/^[^a-z]+/, '')
        .slice(0, 40) || 'part';
    const own = unique(words, names, (number) => `${words}${number}`);
    const schema = parameter ? schemaOfParameter(parameter) : { type: 'string' };
    params[own] = { schema, ...(other && { of: other.name }) };
    return `{${own}}`;
  });
  return { path: `/${parts.join('/')}`, ...(Object.keys(params).length > 0 && { params }) };
}
