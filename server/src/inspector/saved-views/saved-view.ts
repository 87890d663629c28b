// A view that a member saved: a name for the filters of a list. Only the member who saved it reads or deletes it.
import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { displayName, idSchema, namedObject, oneOf, type Static, strictObject, text } from '../../kit/http/schema.ts';

/** The maximum for one member in one organisation, over all apps. */
export const MAX_VIEWS = 100;

const PAGES = ['requests', 'events', 'deliveries'] as const;

const SavedViewId = idSchema('view', "The view's identifier.");
export const savedViewParams = strictObject({ organisationId: OrganisationId, savedViewId: SavedViewId });

const fields = {
  appId: AppId,
  page: oneOf(PAGES, 'The list that the view filters.'),
  name: displayName('The name of the view.'),
  filters: text("The filters, as the query of the page's address without `?`.", {
    minLength: 1,
    maxLength: 2000,
    pattern: '^[!-~]*$',
    examples: ['status=404&last=24h'],
  }),
};

export const SavedViewInput = namedObject('SavedViewInput', 'A view to save.', fields);
export type SavedViewInput = Static<typeof SavedViewInput>;

export const SavedView = namedObject('SavedView', 'A saved view: a name for the filters of a list.', {
  id: SavedViewId,
  ...fields,
});

export interface SavedViewRow {
  view_id: string;
  app_id: string;
  page: SavedViewInput['page'];
  name: string;
  filters: string;
}

export const toSavedView = ({ view_id, app_id, page, name, filters }: SavedViewRow): Static<typeof SavedView> => ({
  id: toId('view', view_id),
  appId: toId('app', app_id),
  page,
  name,
  filters,
});

export const exampleInput: SavedViewInput = {
  appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s3',
  page: 'requests',
  name: 'Unknown paths',
  filters: 'status=404&last=24h',
};

export const exampleSavedView: Static<typeof SavedView> = { id: 'view_01j9z3v8k6e5t8m2n4p6q8r0sf', ...exampleInput };
