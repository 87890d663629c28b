// The sandbox's /v1: the API of both environments, and what simulates.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import { createSimulation, simulationInContract } from '../sandbox/faults/index.ts';
import { type ApiOptions, createApi, publicApi } from './api.ts';

export const sandboxApi = publicApi('sandbox', undefined, simulationInContract);
export const publicOperations = sandboxApi.operations;
/** The contract of /v1 for one public address, with the header that simulates. */
export const publicDocument = sandboxApi.document;

export function createSandboxApi(plane: Plane, options: Omit<ApiOptions, 'simulate'>): FastifyInstance {
  const simulation = createSimulation(plane, options.recorder.record);
  const app = createApi(sandboxApi, plane, { ...options, simulate: simulation.simulate });
  app.addHook('preClose', async () => simulation.endWaits());
  return app;
}
