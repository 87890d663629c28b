// Ends the session, or the access that `end` ends, and forgets all data that was read, generated or saved in the
// session.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../kit/api.ts';
import { forgetAllFreshKeys } from '../../kit/fresh-keys.ts';
import { removeSavedViews } from '../../kit/saved-views-storage.ts';

export function useSignOut(end: () => Promise<unknown> = () => api.deleteSession()) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: end,
    onSuccess: async () => {
      forgetAllFreshKeys();
      removeSavedViews();
      await navigate({ to: '/sign-in', search: {} });
      queries.clear();
    },
  });
}
