// Detects a replication that loses answered changes in a failover, or whose previous primary could still confirm commits
// after it.

export interface Replication {
  /** The value of `synchronous_standby_names`. */
  names: string;
  /** The number of connections that receive the WAL. */
  receivers: number;
}

/** Returns the number of standbys that must confirm a commit, and the listed ones; `*` stands for any number. */
function readNames(names: string): { required: number; listed: string[] } {
  const [, number = '1', list = names] = /^(?:(?:FIRST|ANY)\s+)?(\d+)\s*\((.*)\)$/is.exec(names.trim()) ?? [];
  const listed = list.split(',').flatMap((name) => name.trim() || []);
  return { required: Number(number), listed };
}

/**
 * Returns a sentence if the standbys that must confirm a commit are not a majority together with the primary; otherwise
 * undefined. Two primaries could then both find enough standbys.
 */
export function explainMinority({ names }: Replication): string | undefined {
  const { required, listed } = readNames(names);
  const servers = listed.length + 1;
  if (listed.includes('*') || required >= listed.length || 2 * (required + 1) > servers) return undefined;
  return `Commits wait for ${required} of ${listed.length} standbys, which is no majority of ${servers} servers: after a failover the previous primary could still confirm revoked access.`;
}

/** Returns a sentence if a standby may follow for which no commit waits; otherwise undefined. */
export function explainAsynchronous({ names, receivers }: Replication): string | undefined {
  const { listed } = readNames(names);
  if (listed.includes('*') || receivers <= listed.length) return undefined;
  return `Connections that receive the WAL: ${receivers}; standbys in synchronous_standby_names: ${listed.length}. A failover to a standby that is not listed loses answered changes, and revoked keys are valid again.`;
}
