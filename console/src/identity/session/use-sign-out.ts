// Ends the session, or the access that `end` ends, and forgets all data that was read or generated in the session.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../kit/api.ts';
import { forgetAllFreshKeys } from '../../kit/fresh-keys.ts';

export function useSignOut(end: () => Promise<unknown> = () => api.deleteSession()) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: end,
    onSuccess: async () => {
      forgetAllFreshKeys();
      await navigate({ to: '/sign-in', search: {} });
      queries.clear();
    },
  });
}
