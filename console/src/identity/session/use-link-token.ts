// The token of a mailed link: behind the #, which browsers send nowhere.
import { useLocation } from '@tanstack/react-router';

export function useLinkToken(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  return new URLSearchParams(hash).get('token') ?? undefined;
}
