// Detects a synchronous replication whose previous primary could still confirm commits after a failover.

/**
 * Returns a sentence if the standbys that must confirm a commit are not a majority together with the primary, from the
 * value of `synchronous_standby_names`; otherwise undefined. Two primaries could then both find enough standbys.
 */
export function explainMinority(names: string): string | undefined {
  const [, number = '1', listed = names] = /^(?:(?:FIRST|ANY)\s+)?(\d+)\s*\((.*)\)$/is.exec(names.trim()) ?? [];
  const standbys = listed.split(',').map((name) => name.trim());
  // `*` stands for any number of standbys.
  if (names.trim() === '' || standbys.includes('*')) return undefined;
  const required = Number(number);
  const servers = standbys.length + 1;
  if (required >= standbys.length || 2 * (required + 1) > servers) return undefined;
  return `Commits wait for ${required} of ${standbys.length} standbys, which is no majority of ${servers} servers: after a failover the previous primary could still confirm revoked access.`;
}
