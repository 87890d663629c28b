// Reports of the parts of responses that a contract leaves out: headers and errors.
import type { OperationDeclaration } from '../../access/contracts/index.ts';
import type { Part } from './part.ts';
import type { Route } from './routes.ts';

/** Reports the headers of a successful response that the contract does not send. */
export function reportHeaders(
  { success, method }: Route,
  { effect, content }: Pick<OperationDeclaration, 'effect' | 'content'>,
): void {
  const isSent = (name: string): boolean =>
    name === 'content-type' ||
    (name === 'etag' && method === 'GET' && success.status === 200) ||
    (name === 'location' && effect === 'create' && content.of === 'object') ||
    (name === 'link' && content.of === 'list' && content.paging.by !== 'none');
  for (const [name, header] of success.headers)
    if (!isSent(name.toLowerCase()))
      (header.target() ?? header).report(
        `is the header ${name.slice(0, 60)} of a response, which the contract does not send`,
      );
}

/** Reports the schemas of error responses: each component, and one inline schema, because documents repeat it. */
export function reportErrors(routes: readonly Route[]): void {
  const schemas = routes.flatMap(({ operation }) => errorSchemas(operation));
  const isComponent = ({ pointer }: Part): boolean => pointer.startsWith('/components/schemas/');
  const [inline] = schemas.filter((one) => !isComponent(one));
  for (const schema of [...schemas.filter(isComponent), ...(inline ? [inline] : [])])
    schema.report(
      'is the schema of error responses. Slipway responds with its own problem details (RFC 9457) and statuses',
    );
}

function errorSchemas(operation: Part): Part[] {
  const responses = operation.at('responses')?.entries() ?? [];
  const hasSuccess = responses.some(([status]) => status.startsWith('2'));
  const errors = responses.filter(([status]) => /^[45]/.test(status) || (status === 'default' && hasSuccess));
  const media = errors.flatMap(([, response]) => response.target()?.at('content')?.entries() ?? []);
  return media.flatMap(([type, part]) => (/^application\/problem\+/i.test(type) ? [] : (part.at('schema') ?? [])));
}
