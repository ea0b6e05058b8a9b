import * as fc from 'fast-check';
import { idReference } from './schema-values.ts';

const of = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> => fc.record(shape);

const uid = fc.stringMatching(/^[0-9a-f]{14}$/);
const name = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const weekdays = fc.constant(Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] })));

/** Bodies that succeed, so that later requests have objects to work with. Other endpoints accept an empty object. */
const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  '/members/:member_id/emails': of({ email: fc.nat().map(number => `guest${number}@example.test`) }),
  '/members/:member_id/pins': of({ length: fc.integer({ min: 6, max: 20 }) }),
  '/members/:member_id/cards': of({ uid }),
  '/members/:member_id/group_associations': of({ member_group_id: idReference('mg_') }),
  '/member_groups': of({ name, permissions: fc.constant([{}]) }),
  '/schedules': of({ name, weekdays }),
  '/cards': of({ uid, name }),
  '/tags': of({ name }),
  '/webhooks': of({ url: fc.constant('http://hook.invalid/x'), filter: fc.constant([{ object_type: 'member' }]) }),
  '/gadget_triggers': of({
    source_type: fc.constant('state'),
    source_gadget_id: idReference('gad_'),
    source_state_id: fc.constant('unlocked'),
    target_gadget_id: idReference('gad_'),
    target_action_id: fc.constant('open'),
  }),
  '/gadgets/:gadget_id/actions/:action_id/execute_as_member': of({ member_id: idReference('mem_') }),
};

export const validBody = (method: string, path: string): fc.Arbitrary<unknown> =>
  (method === 'POST' ? bodies[path] : undefined) ?? fc.constant({});
