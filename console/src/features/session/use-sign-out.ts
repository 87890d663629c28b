// Ends the session, or all of them, and forgets what was read and generated in it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../kit/api.ts';
import { forgetAllFreshKeys } from '../../kit/fresh-keys.ts';

export function useSignOut(where: 'here' | 'everywhere' = 'here') {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => (where === 'here' ? api.deleteSession() : api.endSessions()),
    onSuccess: async () => {
      forgetAllFreshKeys();
      await navigate({ to: '/sign-in', search: {} });
      queries.clear();
    },
  });
}
