// Reads the field `fix` of stored JSON. The code before the field was renamed wrote `mend`, and stored rows keep their
// bytes. During an upgrade, a worker of the previous version adds `mend` to an object that already has a null `fix`.

/** Returns a stored object with its fix in the field `fix`, and without the field `mend`. */
export function readStoredFix<T extends { fix: string | null }>(stored: T & { mend?: string | null }): T {
  const { mend = null, ...rest } = stored;
  return { ...rest, fix: rest.fix ?? mend } as unknown as T; // all fields of T: only `mend` is removed
}
