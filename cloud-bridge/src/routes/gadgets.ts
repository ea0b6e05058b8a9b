import { executeAsMember, gadgetAnswer } from '@lintel/wire-protocol/rest/gadget';
import { gadgetTriggerAnswer, gadgetTriggerCreate, gadgetTriggerEdit } from '@lintel/wire-protocol/rest/gadget-trigger';
import { emptyBody, metadataAndTagsEdit } from '@lintel/wire-protocol/rest/metadata';
import {
  type ActionRequest,
  type ActionServices,
  performAction,
  performActionAsMember,
} from '../actions/gadget-actions.ts';
import { crud } from '../api/crud.ts';
import { type Call, type Endpoint, endpoint } from '../api/endpoint.ts';
import { createGadgetTrigger, deleteGadgetTrigger, editGadgetTrigger } from '../resources/gadget-triggers.ts';
import { editGadget } from '../resources/gadgets.ts';
import { actorOf } from '../transactions/actor.ts';

const actionRequest = ({ caller, params }: Call): ActionRequest => ({
  organizationId: caller.organizationId,
  gadgetId: params['gadget_id']!,
  actionId: params['action_id']!,
  actor: actorOf(caller),
});

const action = { method: 'POST', tag: 'Gadgets', answer: emptyBody, commitsByItself: true } as const;

export const gadgetEndpoints = (services: ActionServices): Endpoint[] => [
  ...crud(
    { type: 'gadget', tag: 'Gadgets', path: '/gadgets', one: 'a gadget', many: 'gadgets', answer: gadgetAnswer },
    { edit: { body: metadataAndTagsEdit, write: (context, { id, body }) => editGadget(context, id, body) } },
  ),
  endpoint({
    ...action,
    path: '/gadgets/:gadget_id/actions/:action_id',
    summary: 'Perform an action; needs the whitelabel feature',
    body: emptyBody,
    errors: ['forbidden', 'hardware_offline'],
    handle: async call => {
      await performAction(services, actionRequest(call));
      return {};
    },
  }),
  endpoint({
    ...action,
    path: '/gadgets/:gadget_id/actions/:action_id/execute_as_member',
    summary: "Perform an action on behalf of a member, with that member's own permissions",
    body: executeAsMember,
    errors: ['permission_denied', 'hardware_offline'],
    handle: async call => {
      const { member_id, location } = call.body;
      await performActionAsMember(services, actionRequest(call), { memberId: member_id, location: location ?? null });
      return {};
    },
  }),
];

export const gadgetTriggerEndpoints = crud(
  {
    type: 'gadget_trigger',
    tag: 'Gadget triggers',
    path: '/gadget_triggers',
    one: 'a gadget trigger',
    many: 'gadget triggers',
    answer: gadgetTriggerAnswer,
  },
  {
    create: { body: gadgetTriggerCreate, write: (context, { body }) => createGadgetTrigger(context, body) },
    edit: { body: gadgetTriggerEdit, write: (context, { id, body }) => editGadgetTrigger(context, id, body) },
    remove: { write: (context, { id }) => deleteGadgetTrigger(context, id) },
  },
);
