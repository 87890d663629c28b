// In the place of Mantine's hook of the same name (vite.config.ts says so): that one gives each component a second, random id when it
// is mounted, for the sake of React 17, and so draws every one of them twice. React's own id is unique and lasts.
import { useId as useReactId } from 'react';

export function useId(staticId?: string): string {
  const id = useReactId();
  return staticId ?? `mantine-${id}`;
}
