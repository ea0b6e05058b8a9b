import { executeActionAsMemberRequestSchema, gadgetResponseSchema } from '@lintel/wire-protocol/rest/gadget';
import {
  gadgetTriggerResponseSchema,
  createGadgetTriggerRequestSchema,
  editGadgetTriggerRequestSchema,
} from '@lintel/wire-protocol/rest/gadget-trigger';
import { emptyBodySchema, editMetadataAndTagsRequestSchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import {
  type GadgetActionRequest,
  type GadgetActionServices,
  executeGadgetActionWithoutAccessDecision,
  executeGadgetActionAsMember,
} from '../actions/gadget-actions.ts';
import { createCrudEndpoints } from '../api/crud-endpoints.ts';
import { type EndpointCall, type ApiEndpoint, defineEndpoint } from '../api/define-endpoint.ts';
import { createGadgetTrigger, deleteGadgetTrigger, editGadgetTrigger } from '../resources/gadget-triggers.ts';
import { editGadget } from '../resources/gadgets.ts';
import { toActor } from '../transactions/actor.ts';

const toActionRequest = ({ caller, params }: EndpointCall): GadgetActionRequest => ({
  organizationId: caller.organizationId,
  gadgetId: params['gadget_id']!,
  actionId: params['action_id']!,
  actor: toActor(caller),
});

const action = { method: 'POST', tag: 'Gadgets', response: emptyBodySchema, managesOwnTransaction: true } as const;

export const gadgetEndpoints = createCrudEndpoints(
  {
    type: 'gadget',
    tag: 'Gadgets',
    path: '/gadgets',
    singular: 'a gadget',
    plural: 'gadgets',
    response: gadgetResponseSchema,
  },
  { edit: { body: editMetadataAndTagsRequestSchema, write: (context, { id, body }) => editGadget(context, id, body) } },
);

export const createGadgetActionEndpoints = (services: GadgetActionServices): ApiEndpoint[] => [
  defineEndpoint({
    ...action,
    path: '/gadgets/:gadget_id/actions/:action_id',
    operationId: 'executeGadgetAction',
    summary: 'Perform an action; an application requires the whitelabel feature',
    body: emptyBodySchema,
    errors: ['forbidden', 'hardware_offline'],
    handle: async call => {
      await executeGadgetActionWithoutAccessDecision(services, call.caller, toActionRequest(call));
      return {};
    },
  }),
  defineEndpoint({
    ...action,
    path: '/gadgets/:gadget_id/actions/:action_id/execute_as_member',
    operationId: 'executeGadgetActionAsMember',
    summary: "Perform an action on behalf of a member, with that member's own permissions",
    body: executeActionAsMemberRequestSchema,
    errors: ['permission_denied', 'hardware_offline'],
    handle: async call => {
      const { member_id, location } = call.body;
      await executeGadgetActionAsMember(services, call.caller, toActionRequest(call), {
        memberId: member_id,
        location: location ?? null,
      });
      return {};
    },
  }),
];

export const gadgetTriggerEndpoints = createCrudEndpoints(
  {
    type: 'gadget_trigger',
    tag: 'Gadget triggers',
    path: '/gadget_triggers',
    singular: 'a gadget trigger',
    plural: 'gadget triggers',
    response: gadgetTriggerResponseSchema,
  },
  {
    create: {
      body: createGadgetTriggerRequestSchema,
      write: (context, { body }) => createGadgetTrigger(context, body),
    },
    edit: {
      body: editGadgetTriggerRequestSchema,
      write: (context, { id, body }) => editGadgetTrigger(context, id, body),
    },
    remove: { write: (context, { id }) => deleteGadgetTrigger(context, id) },
  },
);
