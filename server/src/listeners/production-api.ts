// Production's /v1: the same declarations as in the sandbox. The upstream API answers the operations on servers.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import { forwardTo, type Gateway } from '../production/gateway/index.ts';
import { type ApiOptions, createApi, type PublicApi, publicApi } from './api.ts';

/** Returns the API; without a gateway it serves for the contract only. */
export const productionApi = (gateway?: Gateway): PublicApi => publicApi('production', forwardTo(gateway));

export function createProductionApi(
  plane: Plane,
  gateway: Gateway,
  options: Omit<ApiOptions, 'simulate'>,
): FastifyInstance {
  return createApi(productionApi(gateway), plane, options);
}
