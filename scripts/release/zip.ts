// Zip files whose bytes depend only on their content and the time of the commit.
import { writeFileSync } from 'node:fs';
import { zipSync } from 'fflate';

/**
 * Writes a zip of files, without entries for folders. A zip states local time without a zone, so the process must run
 * in UTC.
 */
export function writeZip(file: string, files: ReadonlyMap<string, Uint8Array>, epochSeconds: number): void {
  const entries = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, zipSync(Object.fromEntries(entries), { mtime: epochSeconds * 1000, level: 9 }));
}
