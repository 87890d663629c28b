// Views that a member saved: names for the filters of a list in the Console.
import { deleteSavedView } from './delete-saved-view.ts';
import { listSavedViews } from './list-saved-views.ts';
import { saveView } from './save-view.ts';

export const savedViewOperations = [listSavedViews, saveView, deleteSavedView];
