// Returns the common name of a browser by its user agent. The full user agent is the tooltip.

// Order matters: most user agents also contain the names of later entries.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'a Mac'],
  ['Linux', 'Linux'],
] as const;

export function browserOf(userAgent: string): string {
  const named = (names: readonly (readonly [string, string])[]): string | undefined =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  const browser = named(BROWSERS);
  if (!browser) return userAgent.slice(0, 40) || 'Unknown';
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
