/** Returns a time for a reader, for example `2026-12-04 at 17:05 UTC`: seconds only lengthen a text about a deadline. */
export function utcMinute(at: Date | string): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
}
