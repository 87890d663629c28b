// The sandbox's /v1: the API of both environments, with simulation.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import type { CaptureQueue } from '../inspector/captures/index.ts';
import { createSimulation, simulationInContract } from '../sandbox/faults/index.ts';
import { type ApiOptions, createApi, publicApi } from './api.ts';

export const sandboxApi = publicApi('sandbox', undefined, simulationInContract);
export const publicOperations = sandboxApi.operations;
/** Returns the contract of /v1 for a public URL, with the header for simulation. */
export const publicDocument = sandboxApi.document;

interface SandboxApiOptions extends Omit<ApiOptions, 'simulate' | 'capture'> {
  /** Stores headers and bodies; undefined if the operator forbids it. */
  captures?: CaptureQueue | undefined;
}

export function createSandboxApi(plane: Plane, { captures, ...options }: SandboxApiOptions): FastifyInstance {
  const simulation = createSimulation(plane, (answered) => {
    // A simulated reset sends no response, so the capture has only the request.
    captures?.capture(answered, { readHeaders: () => ({}), payload: undefined });
    return options.recorder.record(answered);
  });
  const app = createApi(sandboxApi, plane, {
    ...options,
    ...(captures && { capture: captures.capture }),
    simulate: simulation.simulate,
  });
  app.addHook('preClose', async () => simulation.endWaits());
  app.addHook('onClose', async () => captures?.flush());
  return app;
}
