import { randomInt } from 'node:crypto';
import type { MemberPinCreate } from '@lintel/wire-protocol/rest/member-pin';
import { invalid } from '../http/api-error.ts';
import { seal, unseal } from '../secrets/sealing.ts';
import type { MemberPinRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import {
  type CredentialAddress,
  deleteCredential,
  newCredential,
  requireLivingCredential,
  tellOfCredential,
} from './member-credentials.ts';
import { claimPin, lookForPins, pinContext, releasePin } from './pin-claims.ts';
import { generatePin } from './pin-generation.ts';

type RevealedPin = MemberPinRow & { readonly pin: string };

const digitsOf = async (context: WriteContext, { pin, length = 0 }: MemberPinCreate): Promise<string> => {
  if (pin !== undefined) return pin;
  const source = { look: (codes: readonly string[]) => lookForPins(context, codes), randomInt };
  const generated = await generatePin(source, length);
  if (generated === null) throw invalid('length', `No PIN of ${length} digits is free`);
  return generated;
};

export const createMemberPin = async (
  context: WriteContext,
  memberId: string,
  body: MemberPinCreate,
): Promise<RevealedPin> => {
  const { keys, organizationId } = context;
  const credential = await newCredential(context, 'member_pin', memberId, body.metadata);
  const pin = await digitsOf(context, body);
  if (!(await claimPin(context, credential.id, pin))) throw invalid('pin', 'The PIN is already in use');
  const row = await insertRow(context, 'member_pins', {
    ...credential,
    length: pin.length,
    sealed: seal(keys, pin, pinContext(organizationId, credential.id)),
  });
  tellOfCredential(context, 'create', 'member_pin', row);
  return { ...row, pin };
};

export const revealMemberPin = async (context: WriteContext, address: CredentialAddress): Promise<RevealedPin> => {
  const row = await requireLivingCredential(context, 'member_pin', address);
  const pin = unseal(context.masterKeys, row.sealed, pinContext(row.organization_id, row.id));
  tellOfCredential(context, 'reveal', 'member_pin', row);
  return { ...row, pin };
};

/** The digits are free for others with it. */
export const deleteMemberPin = async (context: WriteContext, address: CredentialAddress): Promise<MemberPinRow> => {
  const row = await deleteCredential(context, 'member_pin', address);
  await releasePin(context, row.id);
  return row;
};
