// Sets the document's title, most specific part first, so that browser tabs differ.
import { useDocumentTitle } from '@mantine/hooks';

export function useTitle(...parts: (string | undefined)[]): void {
  useDocumentTitle([...parts.filter((part) => part !== undefined), 'Slipway'].join(' · '));
}
