// The document's title: the most particular part first, so that tabs can be told apart.
import { useDocumentTitle } from '@mantine/hooks';

export function useTitle(...parts: (string | undefined)[]): void {
  useDocumentTitle([...parts.filter((part) => part !== undefined), 'Slipway'].join(' · '));
}
