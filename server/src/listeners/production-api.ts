// Production's /v1: the same declarations as the sandbox's, of which those about servers are answered by the platform behind it.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import { forwardTo, type Gateway } from '../production/gateway/index.ts';
import { type ApiOptions, createApi, type PublicApi, publicApi } from './api.ts';

/** Without a gateway it is for the contract only. */
export const productionApi = (gateway?: Gateway): PublicApi => publicApi('production', forwardTo(gateway));

export function createProductionApi(
  plane: Plane,
  gateway: Gateway,
  options: Omit<ApiOptions, 'simulate'>,
): FastifyInstance {
  return createApi(productionApi(gateway), plane, options);
}
