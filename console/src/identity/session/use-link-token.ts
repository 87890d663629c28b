// Returns the token of a mailed link. It is in the hash, which browsers do not send to a server.
import { useLocation } from '@tanstack/react-router';

export function useLinkToken(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  return new URLSearchParams(hash).get('token') ?? undefined;
}
