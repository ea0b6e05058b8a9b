import { deviceAnswer } from '@lintel/wire-protocol/rest/device';
import { metadataAndTagsEdit } from '@lintel/wire-protocol/rest/metadata';
import type { Endpoint } from '../http/endpoint.ts';
import { editDevice } from '../resources/devices.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const deviceEndpoints = (services: Services): Endpoint[] => {
  const { list, get, edit } = crud(services, {
    type: 'device',
    tag: 'Devices',
    path: '/devices',
    one: 'a device',
    many: 'devices',
    answer: deviceAnswer,
  });
  return [
    list(),
    get(),
    edit({ body: metadataAndTagsEdit, write: (context, { id, body }) => editDevice(context, id, body) }),
  ];
};
