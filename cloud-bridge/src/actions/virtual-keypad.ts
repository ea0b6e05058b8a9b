import type { DenialReason } from '@lintel/access-core/access-data-types';
import type { InputRule } from '@lintel/access-core/input-rules';
import { type CredentialDestination, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { stepKeyEntry } from '@lintel/access-core/key-entry';
import { createInitialKeyEntryState, defaultKeyEntryTimes, type KeypadKey } from '@lintel/access-core/key-entry-types';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { listShorterPins } from '@lintel/access-core/pin-digits';
import type { VirtualKeypadEntryResponse } from '@lintel/wire-protocol/admin/virtual-keypad';
import { authorizeStrike } from '../authorization/authorize-strike.ts';
import { executeVirtualGadgetAction } from '../automation/virtual-gadgets.ts';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import {
  toGadgetActionEventObject,
  type ResolvedGadgetAction,
  requireGadgetAction,
} from '../resources/require-gadget-action.ts';
import { listActiveGadgetsOfDevice, parseIdsOfJsonObjects } from '../resources/read-gadget-rows.ts';
import { isVirtualDevice, requireVirtualDevice } from '../resources/gateway-and-virtual-devices.ts';
import { computePinBlindIndex } from '../resources/pin-reservations.ts';
import type { DeviceRow } from '../storage/schema.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Actor } from '../transactions/actor.ts';
import { requireActiveRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const waiting: VirtualKeypadEntryResponse = { outcome: 'incomplete', reason: null, gadget_id: null, action_id: null };
const cleared: VirtualKeypadEntryResponse = { ...waiting, outcome: 'cleared' };

/** Which of the digits that were typed so far are PINs, and which are the beginning of a longer one. */
const findKnownPins = async ({ db, keys, organizationId }: WriteContext, digits: string) => {
  const codes = new Map(
    [...listShorterPins(digits), digits].map(code => [computePinBlindIndex(keys, organizationId, code), code]),
  );
  const find = async (table: 'pin_claims' | 'pin_prefixes'): Promise<ReadonlySet<string | undefined>> => {
    const rows = await db
      .selectFrom(table)
      .select('blind')
      .where('organization_id', '=', organizationId)
      .where('blind', 'in', [...codes.keys()])
      .execute();
    return new Set(rows.map(({ blind }) => codes.get(blind)));
  };
  const [pins, prefixes] = [await find('pin_claims'), await find('pin_prefixes')];
  return { known: (pin: string) => pins.has(pin), extended: (pin: string) => prefixes.has(pin) };
};

/** The digits after the code of the rule that the keys begin with. */
const typedDigits = (rules: readonly InputRule[], keys: string): string => {
  const code = rules.find(rule => rule.code !== '' && keys.startsWith(rule.code))?.code ?? '';
  return /^\d*/.exec(keys.slice(code.length))![0];
};

type EntryResult = { readonly destination: CredentialDestination; readonly pin: string } | 'incomplete' | 'cleared';

/** Runs the key entry of a controller. The keypad of a virtual device has no timers and no lockout. */
const enterKeys = async (context: WriteContext, rules: readonly InputRule[], keys: string): Promise<EntryResult> => {
  const keypad = {
    rules: compileInputRules(rules),
    times: defaultKeyEntryTimes,
    pins: await findKnownPins(context, typedDigits(rules, keys)),
    checkPin: () => ({ granted: true }),
  };
  let state = createInitialKeyEntryState();
  for (const key of keys) {
    const step = stepKeyEntry<never, { granted: boolean }>(
      keypad,
      state,
      { type: 'key', key: key as KeypadKey },
      monotonic(0),
    );
    for (const effect of step.effects) if (effect.type === 'present_pin') return effect;
    ({ state } = step);
  }
  return state.entry.phase === 'idle' ? 'cleared' : 'incomplete';
};

const targetOf = async (
  context: WriteContext,
  device: DeviceRow,
  destination: CredentialDestination,
): Promise<ResolvedGadgetAction> => {
  if (destination.kind === 'rule')
    return requireGadgetAction(context, destination.rule.gadget_id, destination.rule.action_id);
  const [gadget] = await listActiveGadgetsOfDevice(context, device.id);
  const [actionId] = gadget === undefined ? [] : parseIdsOfJsonObjects(gadget.actions);
  if (gadget === undefined || actionId === undefined)
    throw createInvalidFieldError('keys', `operates nothing: the device ${device.id} has no gadget with an action`);
  return requireGadgetAction(context, gadget.id, actionId);
};

const findPinOwner = ({ db, keys, organizationId }: WriteContext, pin: string) =>
  db
    .selectFrom('pin_claims')
    .innerJoin('member_pins', 'member_pins.id', 'pin_claims.pin_id')
    .select(['member_pins.id', 'member_pins.member_id'])
    .where('pin_claims.organization_id', '=', organizationId)
    .where('pin_claims.blind', '=', computePinBlindIndex(keys, organizationId, pin))
    .executeTakeFirst();

/** Types keys at the keypad of a virtual device. Decides, acts and logs as a controller does. */
export const typeAtVirtualKeypad = async (
  storage: Storage,
  context: WriteContext,
  deviceId: string,
  keys: string,
): Promise<VirtualKeypadEntryResponse> => {
  const device = await requireActiveRow(context, 'devices', 'device', deviceId);
  requireVirtualDevice(device, 'keys');
  const entry = await enterKeys(context, JSON.parse(device.input_rules) as InputRule[], keys);
  if (entry === 'incomplete') return waiting;
  if (entry === 'cleared') return cleared;
  const target = await targetOf(context, device, entry.destination);
  if (!isVirtualDevice(target.device))
    throw new ApiError('invalid_request', 'The rule operates a controller. Type the PIN at its keypad', {
      field: 'keys',
    });
  const result = { gadget_id: target.gadget.id, action_id: target.actionId } as Pick<
    VirtualKeypadEntryResponse,
    'gadget_id' | 'action_id'
  >;
  const object = toGadgetActionEventObject(target);
  const deny = (reason: DenialReason, actor: Actor): VirtualKeypadEntryResponse => {
    context.log({ verb: 'deny', object, reason }, actor);
    return { ...result, outcome: 'denied', reason };
  };
  const owner = await findPinOwner(context, entry.pin);
  const isOwnGadget = target.device.id === device.id;
  const keypadActor: Actor = { access_method: 'pin', ...(isOwnGadget ? {} : { device_id: device.id }) };
  if (owner === undefined) return deny('unknown_credential', keypadActor);
  const actor = { ...keypadActor, member_id: owner.member_id, member_pin_id: owner.id };
  const member = { memberId: owner.member_id, accessMethod: 'pin', location: null } as const;
  const right = { kind: 'member', engine: storage.engine, caller: null, member } as const;
  const strike = await authorizeStrike(context, right, { gadgetId: target.gadget.id, actionId: target.actionId });
  if ('reason' in strike) return deny(strike.reason, actor);
  context.log({ verb: 'use', object }, actor);
  await executeVirtualGadgetAction(context, strike);
  return { ...result, outcome: 'granted', reason: null };
};
