import type { GadgetId } from '@lintel/access-core/ids';
import { type GadgetActionDone, outputPulse } from '@lintel/wire-protocol/technician/tests';
import * as z from 'zod';
import type { Pulsed } from '../../app/technician-desk.ts';
import { bodyAs } from '../http-forms.ts';
import type { Route } from '../route.ts';
import { TechnicianError } from '../technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const nothing = z.strictObject({});

const pulseProblem = (output: string, pulsed: Exclude<Pulsed, { outcome: 'done' }>): TechnicianError => {
  switch (pulsed.outcome) {
    case 'unknown':
      return new TechnicianError('not_found', `There is no output ${output}`, { output });
    case 'owned': {
      const message = `${output} belongs to a gadget: try it by one of the gadget's actions`;
      return new TechnicianError('conflict', message, { reason: 'gadget', gadget_id: pulsed.gadget_id });
    }
    case 'busy':
      return new TechnicianError('conflict', 'Another output is being tested: one at a time', { reason: 'busy' });
    case 'failed':
      return new TechnicianError('conflict', pulsed.message, { reason: 'failed' });
  }
};

export const testingRoutes = ({ controller: { technician } }: TechnicianParts): Route[] => [
  {
    method: 'POST',
    path: '/outputs/:output/pulse',
    handle: ({ request, session }) => {
      const { output = '' } = request.params as { readonly output?: string };
      const { ms } = bodyAs(outputPulse, request.body);
      const pulsed = technician.pulse(output, ms, session.technician);
      if (pulsed.outcome === 'done') return {};
      throw pulseProblem(output, pulsed);
    },
  },
  {
    method: 'POST',
    path: '/gadgets/:gadget_id/actions/:action_id',
    handle: ({ request, session }): GadgetActionDone => {
      const { gadget_id, action_id } = request.params as { readonly gadget_id: GadgetId; readonly action_id: string };
      bodyAs(nothing, request.body);
      const performed = technician.perform({ gadget_id, action_id }, session.technician);
      if (performed === null) {
        const message = 'This controller has no such gadget, or the gadget no such action';
        throw new TechnicianError('not_found', message, { gadget_id, action_id });
      }
      if (performed.outcome !== 'done')
        throw new TechnicianError('conflict', performed.reason, { reason: performed.outcome });
      return { event_id: performed.event.id };
    },
  },
];
