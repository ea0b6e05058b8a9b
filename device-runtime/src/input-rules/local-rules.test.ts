import type { InputRule } from '@lintel/access-core/input-rules';
import { instant } from '@lintel/access-core/instant';
import type { InputRulesEditResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDeviceEntry, createGadgetEntry } from '../testing/snapshot-entries.ts';
import { createSingleDoorSnapshot, DoorHarness } from '../testing/door-harness.ts';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import {
  applyInputRulesResponse,
  applyInputRulesEdit,
  markInputRulesEditSent,
  type LocalInputRulesState,
  emptyLocalInputRulesState,
  selectEffectiveInputRules,
  applySnapshotInputRules,
} from './local-rules-state.ts';

const tina = { pass_id: 'pass_1', user_id: 'usr_tina' as never };
const rulesOf = (code: string): readonly InputRule[] => [{ code, gadget_id: 'gad_door' as never, action_id: 'open' }];
const answerOf = (outcome: string, code: string, revision: number): InputRulesEditResultMqttMessage => ({
  v: 1,
  outcome,
  message: null,
  revision,
  input_rules: rulesOf(code),
});

let world: DoorHarness;
beforeEach(async () => {
  world = await DoorHarness.open();
});
const rules = () => world.controller.localRules;
const inForce = () => rules().current.map(({ code }) => code);
const serveRules = (code: string) =>
  world.serve([createDeviceEntry(rulesOf(code)), ...createSingleDoorSnapshot().slice(1)]);

describe('local input rules', () => {
  describe('local edits', () => {
    it('are uploaded one after the other, each based on the previous one', () => {
      rules().edit(rulesOf('*1'), tina);
      expect(rules().pending()).toMatchObject({ base_revision: 1, input_rules: rulesOf('*1') });
      rules().edit(rulesOf('*2'), tina);
      rules().edit(rulesOf('*3'), tina);
      expect(inForce()).toEqual(['*3']);
      expect(rules().pending()).toMatchObject({ input_rules: rulesOf('*1') });
      rules().acknowledged(answerOf('accepted', '*1', 9));
      expect(inForce()).toEqual(['*3']);
      expect(rules().pending()).toMatchObject({ base_revision: 9, input_rules: rulesOf('*3') });
      rules().acknowledged(answerOf('accepted', '*1', 9));
      expect(rules().isPending).toBe(true);
      rules().acknowledged(answerOf('accepted', '*3', 10));
      expect([rules().isPending, inForce()]).toEqual([false, ['*3']]);
    });

    it('that were not uploaded yet are replaced by the next, and each is still recorded as an event', () => {
      rules().edit(rulesOf('*1'), tina);
      rules().edit(rulesOf('*2'), tina);
      expect(rules().pending()).toMatchObject({ input_rules: rulesOf('*2') });
      expect(world.recorded.filter(({ kind }) => kind === 'rules_edited')).toMatchObject([
        { subject: { user_id: 'usr_tina' } },
        { subject: { user_id: 'usr_tina' } },
      ]);
    });

    it('are uploaded whenever there is something new', () => {
      let reported = 0;
      rules().onPending(() => reported++);
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      rules().edit(rulesOf('*2'), tina);
      rules().acknowledged(answerOf('accepted', '*1', 9));
      expect(reported).toBe(3);
      rules().pending();
      rules().acknowledged(answerOf('accepted', '*2', 10));
      expect(reported).toBe(3);
    });

    it('that correct an edit rejected by the bridge are uploaded in its place', () => {
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      rules().edit(rulesOf('*2'), tina);
      rules().acknowledged(answerOf('refused', '*9', 9));
      expect(rules().conflict).toBeNull();
      expect(rules().pending()).toMatchObject({ base_revision: 9, input_rules: rulesOf('*2') });
    });

    it("that conflict with a newer edit at the bridge are kept as the newest edit, while the bridge's rules apply", () => {
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      rules().edit(rulesOf('*2'), tina);
      rules().acknowledged(answerOf('superseded', '*9', 9));
      expect(inForce()).toEqual(['*9']);
      expect(rules().conflict).toMatchObject({ yours: { input_rules: rulesOf('*2') }, theirs: rulesOf('*9') });
      expect(rules().pending()).toBeNull();
    });

    it('that the bridge adopts after all are no longer a conflict', async () => {
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      rules().acknowledged(answerOf('superseded', '*9', 2));
      await serveRules('*9');
      expect(rules().conflict).not.toBeNull();
      await serveRules('*7');
      expect(rules().conflict).toMatchObject({ theirs: rulesOf('*7') });
      await serveRules('*1');
      expect([rules().conflict, inForce()]).toEqual([null, ['*1']]);
    });

    it('that the bridge adopts in another order are no longer a conflict', async () => {
      const both = [...rulesOf('*1'), ...rulesOf('*2')];
      rules().edit(both, tina);
      rules().pending();
      rules().acknowledged(answerOf('superseded', '*9', 2));
      expect(rules().conflict).not.toBeNull();
      await world.serve([createDeviceEntry(both.toReversed()), ...createSingleDoorSnapshot().slice(1)]);
      expect(rules().conflict).toBeNull();
    });

    it('that were accepted apply until a snapshot of that revision arrives', async () => {
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      rules().acknowledged(answerOf('accepted', '*1', 3));
      await serveRules('*9');
      expect(inForce()).toEqual(['*1']);
      await serveRules('*8');
      expect(inForce()).toEqual(['*8']);
    });

    it("based on an edit that the bridge has superseded do not overwrite the bridge's rules", async () => {
      rules().edit(rulesOf('*1'), tina);
      await serveRules('*9');
      rules().edit(rulesOf('*2'), tina);
      expect(rules().pending()).toMatchObject({ base_revision: 1, input_rules: rulesOf('*2') });
    });

    it('that were accepted before the current snapshot do not override it', async () => {
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      await serveRules('*9');
      rules().acknowledged(answerOf('accepted', '*1', 2));
      expect(inForce()).toEqual(['*9']);
    });

    it('apply even if the disk rejects writes, and the fault is reported', () => {
      world.state.isFailing = true;
      rules().edit(rulesOf('*1'), tina);
      world.press('*12580');
      expect(world.isUnlocked).toBe(true);
      expect(world.controller.faults().map(({ code }) => code)).toContain('state:local_rules');
    });

    it('that cannot be read after a restart leave the rules of the snapshot in force', async () => {
      const state = new MemoryState();
      state.write('local_rules', { asked: 'nonsense' });
      world = await DoorHarness.open(createSingleDoorSnapshot(), { state });
      expect(inForce()).toEqual([]);
      world.press('2580');
      expect(world.isUnlocked).toBe(true);
    });

    it('of an earlier enrollment are kept, but not uploaded for the new one', async () => {
      rules().edit(rulesOf('*1'), tina);
      const other = { ...createDeviceEntry(rulesOf('*4')), id: 'dev_new' };
      await world.serve([other, createGadgetEntry({ id: 'gad_door', device_id: 'dev_new' })]);
      expect([rules().pending(), inForce()]).toEqual([null, ['*4']]);
      expect(rules().conflict).toMatchObject({ yours: { input_rules: rulesOf('*1') }, outcome: 'refused' });
    });
  });

  describe('provisional edit', () => {
    const reverted = () => world.recorded.filter(({ kind }) => kind === 'rules_reverted');
    const MINUTES = 2 * 60_000;

    it('expires by monotonic time, and the previous rules apply again', async () => {
      await serveRules('*9');
      rules().editProvisionally(rulesOf('*1'), tina, MINUTES);
      world.press('*12580');
      expect([world.isUnlocked, inForce(), rules().pending()]).toEqual([true, ['*1'], null]);
      world.system.step(3_600_000);
      world.clock.advance(MINUTES - 1);
      expect(inForce()).toEqual(['*1']);
      world.clock.advance(1);
      expect([inForce(), rules().provisional, rules().pending()]).toEqual([['*9'], null, null]);
      expect(reverted()).toMatchObject([
        { subject: { user_id: 'usr_tina' }, detail: expect.stringMatching(/^timeout/) },
      ]);
      world.press('*92580');
      expect(world.isUnlocked).toBe(true);
    });

    it('is uploaded once it is confirmed, and stays', () => {
      let reported = 0;
      rules().onPending(() => reported++);
      rules().editProvisionally(rulesOf('*1'), tina, MINUTES);
      expect([rules().isPending, reported]).toEqual([false, 0]);
      expect(rules().confirm(tina)).toBe(true);
      expect([reported, rules().pending()]).toMatchObject([1, { base_revision: 1, input_rules: rulesOf('*1') }]);
      world.clock.advance(MINUTES);
      expect([inForce(), reverted(), rules().confirm(tina), rules().revert(tina)]).toEqual([['*1'], [], false, false]);
    });

    it('ends with a restart, and that is reported', async () => {
      const state = new MemoryState();
      world = await DoorHarness.open(createSingleDoorSnapshot(), { state });
      rules().edit(rulesOf('*1'), tina);
      rules().editProvisionally(rulesOf('*2'), tina, MINUTES);
      expect(inForce()).toEqual(['*2']);
      const recorded: unknown[] = [];
      world = DoorHarness.closed({ state, onEventRecorded: event => void recorded.push(event) });
      world.controller.start();
      expect(inForce()).toEqual(['*1']);
      const reported = expect.objectContaining({ kind: 'rules_reverted', detail: expect.stringMatching(/^restart/) });
      expect(recorded).toContainEqual(reported);
      recorded.length = 0;
      world = DoorHarness.closed({ state, onEventRecorded: event => void recorded.push(event) });
      world.controller.start();
      expect(recorded).not.toContainEqual(reported);
    });

    it('confirmed after a change at the bridge does not overwrite rules that its author has not seen', async () => {
      rules().editProvisionally(rulesOf('*1'), tina, MINUTES);
      await serveRules('*9');
      rules().editProvisionally(rulesOf('*2'), tina, MINUTES);
      expect(rules().provisional).toMatchObject({ previous: rulesOf('*9'), left_ms: MINUTES, by: tina });
      rules().confirm(tina);
      expect(rules().pending()).toMatchObject({ base_revision: 1, input_rules: rulesOf('*2') });
      rules().acknowledged(answerOf('superseded', '*9', 2));
      expect([inForce(), rules().conflict?.yours.input_rules]).toEqual([['*9'], rulesOf('*2')]);
    });

    it('leaves a conflict unchanged when it is reverted', () => {
      rules().edit(rulesOf('*1'), tina);
      rules().pending();
      rules().acknowledged(answerOf('superseded', '*9', 9));
      rules().editProvisionally(rulesOf('*5'), tina, MINUTES);
      expect(rules().conflict).toMatchObject({ yours: { input_rules: rulesOf('*1') } });
      expect(rules().revert(tina)).toBe(true);
      expect([inForce(), rules().conflict?.yours.input_rules]).toEqual([['*9'], rulesOf('*1')]);
    });
  });

  type Step = 'edit' | 'hand' | 'accept' | 'supersede' | 'refuse' | 'slice';

  it('never lose the newest edit, for any order of messages', () => {
    const steps = fc.array(fc.constantFrom<Step>('edit', 'hand', 'accept', 'supersede', 'refuse', 'slice'), {
      maxLength: 40,
    });
    const at = instant(1);
    fc.assert(
      fc.property(steps, taken => {
        let state: LocalInputRulesState = emptyLocalInputRulesState;
        let newest: string | null = null;
        let isAccepted = false;
        let revision = 1;
        const bridgeRules = () => rulesOf(`#${revision}`);
        const answer = (outcome: string, input_rules: readonly InputRule[]) => {
          if (state.asked === null || !state.handed) return;
          const code = state.asked.input_rules[0]!.code;
          if (outcome === 'accepted' && code === newest) isAccepted = true;
          state = applyInputRulesResponse(state, { v: 1, outcome, message: null, revision, input_rules }, at);
        };
        for (const [index, step] of taken.entries()) {
          if (step === 'edit') {
            newest = `*${index}`;
            isAccepted = false;
            const made = { v: 1, base_revision: revision, edited_at: at, pass_id: null, user_id: null } as const;
            state = applyInputRulesEdit(state, { ...made, device_id: 'dev_own', input_rules: rulesOf(newest) });
          } else if (step === 'hand') state = markInputRulesEditSent(state);
          else if (step === 'accept') answer('accepted', state.asked?.input_rules ?? []);
          else if (step === 'slice') {
            revision += 1;
            state = applySnapshotInputRules(state, { revision, device_id: 'dev_own', input_rules: bridgeRules() }, at);
          } else answer(step === 'supersede' ? 'superseded' : 'refused', bridgeRules());
          if (newest === null || isAccepted) continue;
          const places = [selectEffectiveInputRules(state)?.[0]?.code, state.conflict?.yours.input_rules[0]?.code];
          expect(places).toContain(newest);
        }
      }),
    );
  });
});
