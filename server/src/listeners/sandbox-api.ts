// The sandbox's /v1: the API of both environments, with simulation.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import { createSimulation, simulationInContract } from '../sandbox/faults/index.ts';
import { type ApiOptions, createApi, publicApi } from './api.ts';

export const sandboxApi = publicApi('sandbox', undefined, simulationInContract);
export const publicOperations = sandboxApi.operations;
/** Returns the contract of /v1 for a public URL, with the header for simulation. */
export const publicDocument = sandboxApi.document;

export function createSandboxApi(plane: Plane, options: Omit<ApiOptions, 'simulate'>): FastifyInstance {
  const simulation = createSimulation(plane, options.recorder.record);
  const app = createApi(sandboxApi, plane, { ...options, simulate: simulation.simulate });
  app.addHook('preClose', async () => simulation.endWaits());
  return app;
}
