import { gadgetTriggerAnswer, gadgetTriggerCreate, gadgetTriggerEdit } from '@lintel/wire-protocol/rest/gadget-trigger';
import type { Endpoint } from '../http/endpoint.ts';
import { createGadgetTrigger, deleteGadgetTrigger, editGadgetTrigger } from '../resources/gadget-triggers.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const gadgetTriggerEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'gadget_trigger',
    tag: 'Gadget triggers',
    path: '/gadget_triggers',
    one: 'a gadget trigger',
    many: 'gadget triggers',
    answer: gadgetTriggerAnswer,
  });
  return [
    list(),
    get(),
    create({ body: gadgetTriggerCreate, write: (context, { body }) => createGadgetTrigger(context, body) }),
    edit({ body: gadgetTriggerEdit, write: (context, { id, body }) => editGadgetTrigger(context, id, body) }),
    remove({ write: (context, { id }) => deleteGadgetTrigger(context, id) }),
  ];
};
