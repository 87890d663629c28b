// Search parameters of the data browser.
import { choiceParam, isId, textParam } from '../../kit/search.ts';
import { kindOfId, OBJECT_KINDS, type ObjectKind } from './kinds.ts';

export interface DataSearch {
  /** Undefined: servers. */
  kind?: ObjectKind;
  server?: string;
  /** Object whose drawer is open. */
  object?: string;
}

export function toDataSearch(search: Partial<Record<keyof DataSearch, unknown>>): DataSearch {
  const { object = '' } = textParam('object', search.object);
  const kindOfObject = isId(object) ? kindOfId(object) : undefined;
  return {
    // A pasted address of one object also selects its kind.
    ...choiceParam('kind', search.kind ?? kindOfObject, OBJECT_KINDS),
    ...textParam('server', search.server),
    ...(kindOfObject !== undefined && { object }),
  };
}
