import type { Check } from '../kit.ts';
export async function proveFaults(): Promise<Check[]> {
  return [];
}
