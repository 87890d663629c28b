// Records the cancellations of in-flight deliveries for tests.
import type { LostAccess, Plane } from '../src/access/authority/index.ts';

/**
 * Runs `work`, and returns the accesses whose in-flight deliveries each of its operations cancels. The cancellations
 * happen as they do without this function.
 *
 * @example
 * const [first, second] = await recordCancellations(sandbox.plane, async () => { await revoke(); await revoke(); });
 */
export async function recordCancellations(plane: Plane, work: () => Promise<void>): Promise<LostAccess[][]> {
  const recorded: LostAccess[][] = [];
  const { cancelInFlight } = plane.deliveries;
  plane.deliveries.cancelInFlight = (tx, denials) => {
    recorded.push([...denials]);
    return cancelInFlight(tx, denials);
  };
  try {
    await work();
  } finally {
    plane.deliveries.cancelInFlight = cancelInFlight;
  }
  return recorded;
}
