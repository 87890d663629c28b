// What members manage of production. Nobody makes an app there by themselves, and nothing in it is synthetic.
import type { PublicApi } from './api.ts';
import type { Plane } from './features/authority/index.ts';
import type { AnyOperation } from './kit/operation.ts';
import { managementOf } from './management.ts';

export const productionManagement = (api: PublicApi): AnyOperation<Plane>[] => managementOf(api);
