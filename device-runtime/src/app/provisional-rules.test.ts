import type { InputRule } from '@lintel/access-core/input-rules';
import { instant } from '@lintel/access-core/instant';
import { monotonic } from '@lintel/access-core/monotonic';
import type { Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handedOver, noLocalRules, type RulesEdit } from './local-rules-state.ts';
import {
  answeredBelow,
  confirmed,
  type DoorRules,
  editedForGood,
  editedForNow,
  inForce,
  isOver,
  reverted,
  slicedBelow,
} from './provisional-rules.ts';

const at = instant(1);
const rulesOf = (code: string): readonly InputRule[] => [{ code, gadget_id: 'gad_door' as never, action_id: 'open' }];
const codeOf = (rules: readonly InputRule[] | null | undefined): string | null => rules?.[0]?.code ?? null;
const nothing: DoorRules = { lasting: noLocalRules, provisional: null };
const DURATION = 100;

type Step = 'edit' | 'try' | 'confirm' | 'revert' | 'wait' | 'restart' | 'ask' | 'hear' | 'desk' | 'slice';
const anyStep = fc.constantFrom<Step>(
  ...(['edit', 'try', 'try', 'confirm', 'revert', 'wait', 'restart', 'ask', 'hear', 'desk', 'slice'] as const),
);

/** A desk with rules of its own, and the answers that are on their way from it. */
class Desk {
  revision = 1;
  changedAt = 1;
  rules = rulesOf('#0');
  /** Codes of edits at the door that it has taken over. */
  readonly taken = new Set<string>();
  readonly answers: Rules[] = [];

  change(code: string): void {
    this.revision += 1;
    this.changedAt = this.revision;
    this.rules = rulesOf(code);
  }

  asked(edit: RulesEdit): 'accepted' | 'superseded' {
    const isSame = codeOf(this.rules) === codeOf(edit.input_rules);
    const outcome = isSame || this.changedAt <= (edit.base_revision ?? 0) ? 'accepted' : 'superseded';
    if (outcome === 'accepted') this.taken.add(codeOf(edit.input_rules)!);
    if (outcome === 'accepted' && !isSame) this.change(codeOf(edit.input_rules)!);
    const { revision, rules: input_rules } = this;
    this.answers.push({ v: 1, outcome, message: null, revision, input_rules });
    return outcome;
  }
}

/** A controller, its technician and its desk, and what each of them remembers. */
class Story {
  rules: DoorRules = nothing;
  desk = new Desk();
  served = { revision: 1, device_id: 'dev_own', input_rules: rulesOf('#0') };
  now = 0;
  /** The code that every edit has been made on top of, as its maker saw it. */
  readonly seen = new Map<string, string | null>();
  readonly unconfirmed = new Set<string>();
  newest: string | null = null;
  readonly mistakes: string[] = [];
  #numbers = 0;

  get inForce(): string | null {
    return codeOf(inForce(this.rules) ?? this.served.input_rules);
  }

  #made(): RulesEdit {
    const code = `*${this.#numbers++}`;
    const { provisional, lasting } = this.rules;
    const below = provisional === null ? this.inForce : this.seen.get(codeOf(provisional.made.input_rules)!)!;
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
      this.rules = editedForGood(this.rules, made);
      this.#lasts(codeOf(made.input_rules)!);
    },
    try: () => {
      const made = this.#made();
      this.unconfirmed.add(codeOf(made.input_rules)!);
      const by = { pass_id: null, user_id: null };
      this.rules = editedForNow(this.rules, { made, by, reverts: monotonic(this.now + DURATION) });
    },
    confirm: () => {
      const { provisional } = this.rules;
      this.rules = confirmed(this.rules);
      if (provisional !== null) this.#lasts(codeOf(provisional.made.input_rules)!);
    },
    revert: () => {
      this.rules = reverted(this.rules);
    },
    wait: () => {
      this.now += DURATION / 2;
      if (isOver(this.rules, monotonic(this.now))) this.rules = reverted(this.rules);
    },
    restart: () => {
      this.rules = { lasting: JSON.parse(JSON.stringify(this.rules.lasting)), provisional: null };
    },
    ask: () => {
      const { lasting, provisional } = this.rules;
      this.rules = { lasting: handedOver(lasting), provisional };
      const { asked } = this.rules.lasting;
      if (asked === null) return;
      const code = codeOf(asked.input_rules)!;
      if (this.unconfirmed.has(code)) this.mistakes.push(`${code} was told and not confirmed`);
      const isAgain = codeOf(this.desk.rules) === code;
      const before = codeOf(this.desk.rules);
      // What the desk takes over was made by somebody who had seen what it replaces.
      if (this.desk.asked(asked) === 'accepted' && !isAgain && !this.#isSeenBy(code, before))
        this.mistakes.push(`${code} replaced ${before}, which its maker had not seen`);
    },
    hear: () => {
      const answer = this.desk.answers.shift();
      if (answer === undefined) return;
      this.rules = answeredBelow(this.rules, answer, at);
      this.rules = slicedBelow(this.rules, this.served, at);
    },
    desk: () => this.desk.change(`#${this.#numbers++}`),
    slice: () => {
      const { revision, rules: input_rules } = this.desk;
      this.served = { ...this.served, revision, input_rules };
      this.rules = slicedBelow(this.rules, this.served, at);
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

describe('rules that hold for a while', () => {
  it('hold at once, are on no disk, and are told to nobody until they are confirmed', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const story = new Story();
        for (const step of steps) {
          story.take(step);
          const { provisional, lasting } = story.rules;
          if (step === 'try') expect(story.inForce).toBe(codeOf(provisional?.made.input_rules));
          const onDisk = JSON.stringify(lasting);
          for (const code of story.unconfirmed) expect(onDisk.includes(`"${code}"`)).toBe(false);
        }
        expect(story.mistakes).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leave no trace when they are not confirmed, whatever happens meanwhile', () => {
    const others = fc.constantFrom<Step>('try', 'wait', 'ask', 'hear', 'desk', 'slice', 'revert', 'restart');
    const before = fc.array(fc.constantFrom<Step>('edit', 'ask', 'hear', 'desk', 'slice'), { maxLength: 12 });
    fc.assert(
      fc.property(before, fc.array(others, { maxLength: 30 }), (first, rest) => {
        const [tried, untried] = [new Story(), new Story()];
        for (const step of first) for (const story of [tried, untried]) story.take(step);
        for (const step of rest) {
          tried.take(step);
          // In the other story nobody tries anything; a number is used up all the same.
          untried.take(step);
          untried.rules = reverted(untried.rules);
        }
        for (const story of [tried, untried]) story.take('revert');
        expect(tried.rules).toEqual(untried.rules);
        expect(tried.inForce).toBe(untried.inForce);
      }),
      { numRuns: 1_000 },
    );
  });

  it('go back to the same rules however often they are replaced', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), times => {
        const story = new Story();
        story.take('edit');
        const before = story.inForce;
        for (let time = 0; time < times; time += 1) story.take('try');
        story.take('wait');
        expect(story.inForce).not.toBe(before);
        story.take('wait');
        expect(story.inForce).toBe(before);
      }),
    );
  });

  it('once they are confirmed are never lost, and replace nothing at the desk that their maker has not seen', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const story = new Story();
        for (const step of steps) {
          story.take(step);
          const { newest, desk, rules } = story;
          if (newest === null || desk.taken.has(newest)) continue;
          const { next, asked, conflict } = rules.lasting;
          const places = [next, asked, conflict?.yours].map(edit => codeOf(edit?.input_rules));
          expect(places).toContain(newest);
        }
        expect(story.mistakes).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('end with the device that they were made for', () => {
    const story = new Story();
    story.take('try');
    story.served = { ...story.served, device_id: 'dev_new' };
    story.take('slice');
    expect(story.rules.provisional).toBeNull();
  });
});
