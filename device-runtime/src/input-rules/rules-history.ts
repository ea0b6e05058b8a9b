import type { UserId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import { inputRulesSchema } from '@lintel/wire-protocol/mqtt/input-rules-schema';
import { epochMillisecondsSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import * as z from 'zod';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import { toTechnicianIdentity, type ActingTechnician } from '../events/acting-technician.ts';
import { haveSameInputRules } from './local-rules-state.ts';

const MOST_VERSIONS = 20;

const versionsSchema = z.array(
  z.object({
    at: epochMillisecondsSchema,
    by: z
      .object({
        user_id: z.string().nullable() as unknown as z.ZodType<UserId | null>,
        pass_id: z.string().nullable(),
        user_name: z.string().nullish(),
      })
      .nullable(),
    input_rules: inputRulesSchema,
  }),
);
export type InputRulesVersion = z.infer<typeof versionsSchema>[number];

/** The versions of the input rules that were kept, with their author. Rules on trial are not among them. */
export class InputRulesHistory {
  readonly #state: ControllerStateStore;
  readonly #wall: WallClock;
  #versions: readonly InputRulesVersion[];

  constructor({ state, wall }: { readonly state: ControllerStateStore; readonly wall: WallClock }) {
    this.#state = state;
    this.#wall = wall;
    this.#versions = versionsSchema.safeParse(state.read('rules_history')).data ?? [];
  }

  /** The newest first. */
  get versions(): readonly InputRulesVersion[] {
    return this.#versions;
  }

  /** Ignores rules that are already the newest version. `by` is null for a change in the bridge. */
  add(input_rules: readonly InputRule[], by: ActingTechnician | null): void {
    if (haveSameInputRules(this.#versions[0]?.input_rules ?? [], input_rules)) return;
    const author = by === null ? null : toTechnicianIdentity(by);
    const version = { at: this.#wall.now(), by: author, input_rules };
    this.#write([version, ...this.#versions].slice(0, MOST_VERSIONS));
  }

  /** For a new owner. */
  clear(): void {
    this.#write([]);
  }

  #write(versions: readonly InputRulesVersion[]): void {
    this.#versions = versions;
    this.#state.write('rules_history', versions);
  }
}
