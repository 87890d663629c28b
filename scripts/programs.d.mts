export function readUsages(folder: 'bench' | 'prove'): Map<string, string>;
export function findUnknownOption(usage: string, args: readonly string[]): string | undefined;
