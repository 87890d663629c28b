// The simulation of faults, in the sandbox only: on request of a single call, and by rules for a share of the calls.
import { createFault } from './create-fault.ts';
import { deleteFault } from './delete-fault.ts';
import { listFaults } from './list-faults.ts';
import { updateFault } from './update-fault.ts';

export const faultOperations = (operationIds: readonly string[]) => [
  listFaults,
  createFault(operationIds),
  updateFault,
  deleteFault,
];
export { simulationInContract } from './sandbox-simulate.ts';
export { createSimulation } from './simulation.ts';
