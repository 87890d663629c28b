// Production's /v1: the same declarations as the sandbox's.
import type { FastifyInstance } from 'fastify';
import { type ApiOptions, createApi, type PublicApi, publicApi } from './api.ts';
import type { Plane } from './features/authority/index.ts';

export const productionApi: PublicApi = publicApi('production');

export function createProductionApi(plane: Plane, options: Omit<ApiOptions, 'simulate'>): FastifyInstance {
  return createApi(productionApi, plane, options);
}
