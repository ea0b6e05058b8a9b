import type { InputRule } from '@lintel/access-core/input-rules';
import { instant } from '@lintel/access-core/instant';
import { monotonic } from '@lintel/access-core/monotonic-time';
import type { InputRulesEditResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markInputRulesEditSent, emptyLocalInputRulesState, type InputRulesEdit } from './local-rules-state.ts';
import {
  applyInputRulesEditResultWithProvisionalEdit,
  confirmProvisionalInputRulesEdit,
  type InputRulesWithProvisionalEdit,
  applyPermanentInputRulesEdit,
  applyProvisionalInputRulesEdit,
  selectEffectiveInputRulesWithProvisionalEdit,
  isProvisionalInputRulesEditExpired,
  revertProvisionalInputRulesEdit,
  applySnapshotInputRulesWithProvisionalEdit,
} from './provisional-rules.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const at = instant(1);
const rulesOf = (code: string): readonly InputRule[] => [{ code, gadget_id: 'gad_door' as never, action_id: 'open' }];
const codeOf = (rules: readonly InputRule[] | null | undefined): string | null => rules?.[0]?.code ?? null;
const nothing: InputRulesWithProvisionalEdit = { lasting: emptyLocalInputRulesState, provisional: null };
const DURATION = 100;

type Step =
  | 'edit'
  | 'try'
  | 'confirm'
  | 'revert'
  | 'wait'
  | 'restart'
  | 'upload'
  | 'receive'
  | 'bridge_edit'
  | 'snapshot';
const anyStep = fc.constantFrom<Step>(
  ...([
    'edit',
    'try',
    'try',
    'confirm',
    'revert',
    'wait',
    'restart',
    'upload',
    'receive',
    'bridge_edit',
    'snapshot',
  ] as const),
);

/** A bridge with its own rules and the responses that are in transit from it. */
class BridgeModel {
  revision = 1;
  changedAt = 1;
  rules = rulesOf('#0');
  /** Codes of local edits that the bridge has adopted. */
  readonly taken = new Set<string>();
  readonly answers: InputRulesEditResultMqttMessage[] = [];

  change(code: string): void {
    this.revision += 1;
    this.changedAt = this.revision;
    this.rules = rulesOf(code);
  }

  asked(edit: InputRulesEdit): 'accepted' | 'superseded' {
    const isSame = codeOf(this.rules) === codeOf(edit.input_rules);
    const outcome = isSame || this.changedAt <= (edit.base_revision ?? 0) ? 'accepted' : 'superseded';
    if (outcome === 'accepted') this.taken.add(codeOf(edit.input_rules)!);
    if (outcome === 'accepted' && !isSame) this.change(codeOf(edit.input_rules)!);
    const { revision, rules: input_rules } = this;
    this.answers.push({ v: 1, outcome, message: null, revision, input_rules });
    return outcome;
  }
}

/** A controller, its technician and its bridge, and what each of them remembers. */
class RulesModel {
  rules: InputRulesWithProvisionalEdit = nothing;
  bridge = new BridgeModel();
  served = { revision: 1, device_id: 'dev_own', input_rules: rulesOf('#0') };
  now = 0;
  /** The code that each edit was based on, as its author saw it. */
  readonly seen = new Map<string, string | null>();
  readonly unconfirmed = new Set<string>();
  newest: string | null = null;
  readonly mistakes: string[] = [];
  #numbers = 0;

  get inForce(): string | null {
    return codeOf(selectEffectiveInputRulesWithProvisionalEdit(this.rules) ?? this.served.input_rules);
  }

  #made(): InputRulesEdit {
    const code = `*${this.#numbers++}`;
    const { provisional, lasting } = this.rules;
    const below = provisional === null ? this.inForce : this.seen.get(codeOf(provisional.edit.input_rules)!)!;
    this.seen.set(code, below);
    const known = Math.max(this.served.revision, lasting.settled?.revision ?? 0);
    const common = { v: 1, edited_at: at, pass_id: null, user_id: null, device_id: 'dev_own' } as const;
    return { ...common, base_revision: known, input_rules: rulesOf(code) };
  }

  #lasts(code: string): void {
    this.newest = code;
    this.unconfirmed.delete(code);
  }

  readonly #steps: Readonly<Record<Step, () => void>> = {
    edit: () => {
      const made = this.#made();
      this.rules = applyPermanentInputRulesEdit(this.rules, made);
      this.#lasts(codeOf(made.input_rules)!);
    },
    try: () => {
      const edit = this.#made();
      this.unconfirmed.add(codeOf(edit.input_rules)!);
      const by = { pass_id: null, user_id: null };
      this.rules = applyProvisionalInputRulesEdit(this.rules, { edit, by, revertsAt: monotonic(this.now + DURATION) });
    },
    confirm: () => {
      const { provisional } = this.rules;
      this.rules = confirmProvisionalInputRulesEdit(this.rules);
      if (provisional !== null) this.#lasts(codeOf(provisional.edit.input_rules)!);
    },
    revert: () => {
      this.rules = revertProvisionalInputRulesEdit(this.rules);
    },
    wait: () => {
      this.now += DURATION / 2;
      if (isProvisionalInputRulesEditExpired(this.rules, monotonic(this.now)))
        this.rules = revertProvisionalInputRulesEdit(this.rules);
    },
    restart: () => {
      this.rules = { lasting: JSON.parse(JSON.stringify(this.rules.lasting)), provisional: null };
    },
    upload: () => {
      const { lasting, provisional } = this.rules;
      this.rules = { lasting: markInputRulesEditSent(lasting), provisional };
      const { asked } = this.rules.lasting;
      if (asked === null) return;
      const code = codeOf(asked.input_rules)!;
      if (this.unconfirmed.has(code)) this.mistakes.push(`${code} was uploaded without confirmation`);
      const isAgain = codeOf(this.bridge.rules) === code;
      const before = codeOf(this.bridge.rules);
      // The author of an adopted edit has seen what it replaces.
      if (this.bridge.asked(asked) === 'accepted' && !isAgain && !this.#isSeenBy(code, before))
        this.mistakes.push(`${code} replaced ${before}, which its author had not seen`);
    },
    receive: () => {
      const answer = this.bridge.answers.shift();
      if (answer === undefined) return;
      this.rules = applyInputRulesEditResultWithProvisionalEdit(this.rules, answer, at);
      this.rules = applySnapshotInputRulesWithProvisionalEdit(this.rules, this.served, at);
    },
    bridge_edit: () => this.bridge.change(`#${this.#numbers++}`),
    snapshot: () => {
      const { revision, rules: input_rules } = this.bridge;
      this.served = { ...this.served, revision, input_rules };
      this.rules = applySnapshotInputRulesWithProvisionalEdit(this.rules, this.served, at);
    },
  };

  #isSeenBy(code: string, replaced: string | null): boolean {
    for (let one: string | null | undefined = code; one != null; one = this.seen.get(one))
      if (one === replaced) return true;
    return false;
  }

  take(step: Step): void {
    this.#steps[step]();
  }
}

describe('provisional rules', () => {
  it('apply at once, are not saved, and are not uploaded before they are confirmed', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const history = new RulesModel();
        for (const step of steps) {
          history.take(step);
          const { provisional, lasting } = history.rules;
          if (step === 'try') expect(history.inForce).toBe(codeOf(provisional?.edit.input_rules));
          const onDisk = JSON.stringify(lasting);
          for (const code of history.unconfirmed) expect(onDisk.includes(`"${code}"`)).toBe(false);
        }
        expect(history.mistakes).toEqual([]);
      }),
      { numRuns: iterations({ sample: 200, all: 2_000 }) },
    );
  });

  it('leave no trace when they are not confirmed, whatever happens in between', () => {
    const others = fc.constantFrom<Step>(
      'try',
      'wait',
      'upload',
      'receive',
      'bridge_edit',
      'snapshot',
      'revert',
      'restart',
    );
    const before = fc.array(fc.constantFrom<Step>('edit', 'upload', 'receive', 'bridge_edit', 'snapshot'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(before, fc.array(others, { maxLength: 30 }), (first, rest) => {
        const [tried, untried] = [new RulesModel(), new RulesModel()];
        for (const step of first) for (const history of [tried, untried]) history.take(step);
        for (const step of rest) {
          tried.take(step);
          // The other run makes no provisional edit, but still uses up a number.
          untried.take(step);
          untried.rules = revertProvisionalInputRulesEdit(untried.rules);
        }
        for (const history of [tried, untried]) history.take('revert');
        expect(tried.rules).toEqual(untried.rules);
        expect(tried.inForce).toBe(untried.inForce);
      }),
      { numRuns: iterations({ sample: 100, all: 1_000 }) },
    );
  });

  it('revert to the same rules however often they are replaced', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), times => {
        const history = new RulesModel();
        history.take('edit');
        const before = history.inForce;
        for (let time = 0; time < times; time += 1) history.take('try');
        history.take('wait');
        expect(history.inForce).not.toBe(before);
        history.take('wait');
        expect(history.inForce).toBe(before);
      }),
    );
  });

  it('are never lost once confirmed, and never overwrite rules of the bridge that their author has not seen', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const history = new RulesModel();
        for (const step of steps) {
          history.take(step);
          const { newest, bridge, rules } = history;
          if (newest === null || bridge.taken.has(newest)) continue;
          const { next, asked, conflict } = rules.lasting;
          const places = [next, asked, conflict?.yours].map(edit => codeOf(edit?.input_rules));
          expect(places).toContain(newest);
        }
        expect(history.mistakes).toEqual([]);
      }),
      { numRuns: iterations({ sample: 300, all: 3_000 }) },
    );
  });

  it('end with the enrollment that they were made for', () => {
    const history = new RulesModel();
    history.take('try');
    history.served = { ...history.served, device_id: 'dev_new' };
    history.take('snapshot');
    expect(history.rules.provisional).toBeNull();
  });
});
