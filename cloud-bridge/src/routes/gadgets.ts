import { executeAsMember, gadgetAnswer } from '@lintel/wire-protocol/rest/gadget';
import { emptyBody, metadataAndTagsEdit } from '@lintel/wire-protocol/rest/metadata';
import { type ActionRequest, performAction, performActionAsMember } from '../actions/gadget-actions.ts';
import { actorOf } from '../http/caller.ts';
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { editGadget } from '../resources/gadgets.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

const actionRequest = ({ caller, params }: Call): ActionRequest => ({
  organizationId: caller.organizationId,
  gadgetId: params['gadget_id']!,
  actionId: params['action_id']!,
  actor: actorOf(caller),
});

export const gadgetEndpoints = (services: Services): Endpoint[] => {
  const { list, get, edit } = crud(services, {
    type: 'gadget',
    tag: 'Gadgets',
    path: '/gadgets',
    one: 'a gadget',
    many: 'gadgets',
    answer: gadgetAnswer,
  });
  const action = { method: 'POST', tag: 'Gadgets', answer: emptyBody, commitsByItself: true } as const;
  return [
    list(),
    get(),
    edit({ body: metadataAndTagsEdit, write: (context, { id, body }) => editGadget(context, id, body) }),
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
};
