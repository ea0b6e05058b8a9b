import { describe, expect, it } from 'vitest';
import { accessMethods, denialReasons } from './access-data-types.ts';

describe('access model', () => {
  it('lists the access methods of the API', () => {
    expect(accessMethods).toEqual(['online', 'bluetooth', 'mobile_nfc', 'pin', 'card']);
  });

  it('lists the denial reasons of the calculation in order, followed by those of the door', () => {
    expect(denialReasons).toEqual([
      'member_deleted',
      'member_not_started',
      'member_ended',
      'no_group',
      'no_matching_rule',
      'method_not_allowed',
      'out_of_schedule',
      'not_present',
      'time_untrusted',
      'unknown_credential',
      'no_input_rule',
      'locked_out',
    ]);
  });
});
