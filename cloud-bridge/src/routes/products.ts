import { productAnswer } from '@lintel/wire-protocol/rest/product';
import type { Endpoint } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const productEndpoints = (services: Services): Endpoint[] => {
  const { list, get } = crud(services, {
    type: 'product',
    tag: 'Devices',
    path: '/products',
    one: 'a product',
    many: 'products',
    answer: productAnswer,
  });
  return [list(), get()];
};
