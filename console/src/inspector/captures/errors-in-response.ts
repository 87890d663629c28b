// Reads the errors of a problem from a captured response.
import type { AnsweredProblem } from '../../platform/reference/problem-note.tsx';

/** Returns the errors; undefined if the body is not stored whole, or is no problem with errors. */
export function errorsInResponse(body: string | null | undefined): AnsweredProblem['errors'] {
  try {
    const errors: unknown = Reflect.get(Object(JSON.parse(body ?? 'null')), 'errors');
    if (!Array.isArray(errors)) return undefined;
    return errors.flatMap((one: unknown) => {
      const [pointer, detail] = [Reflect.get(Object(one), 'pointer'), Reflect.get(Object(one), 'detail')];
      return typeof pointer === 'string' && typeof detail === 'string' ? [{ pointer, detail }] : [];
    });
  } catch {
    return undefined; // a body that was cut
  }
}
