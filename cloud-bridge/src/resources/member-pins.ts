import { isInUse } from '@lintel/access-core/problem-texts';
import { randomInt } from 'node:crypto';
import type { CreateMemberPinRequest } from '@lintel/wire-protocol/rest/member-pin';
import { createInvalidFieldError } from '../http/api-error.ts';
import { sealSecret, unsealSecret } from '../secrets/sealing.ts';
import type { MemberPinRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  type CredentialEventDetails,
  type MemberCredentialRef,
  deleteMemberCredential,
  createCredentialColumns,
  requireActiveMemberCredential,
  recordCredentialEvent,
} from './member-credentials.ts';
import { reservePin, lookUpReservedPins, buildPinSealContext, releasePin } from './pin-reservations.ts';
import { generatePin } from './pin-generation.ts';

type RevealedPin = MemberPinRow & { readonly pin: string };

const resolveDigits = async (context: WriteContext, { pin, length = 0 }: CreateMemberPinRequest): Promise<string> => {
  if (pin !== undefined) return pin;
  const dependencies = { lookUp: (codes: readonly string[]) => lookUpReservedPins(context, codes), randomInt };
  const generated = await generatePin(dependencies, length);
  if (generated === null)
    throw createInvalidFieldError('length', `must be another number: no PIN of ${length} digits is free`);
  return generated;
};

export const createMemberPin = async (
  context: WriteContext,
  memberId: string,
  body: CreateMemberPinRequest,
): Promise<RevealedPin> => {
  const { keys, organizationId } = context;
  const credential = await createCredentialColumns(context, 'member_pin', memberId, body.metadata);
  const pin = await resolveDigits(context, body);
  if (!(await reservePin(context, credential.id, pin)))
    throw createInvalidFieldError('pin', isInUse('another PIN of the organization'));
  const row = await insertRow(context, 'member_pins', {
    ...credential,
    length: pin.length,
    sealed: sealSecret(keys, pin, buildPinSealContext(organizationId, credential.id)),
  });
  recordCredentialEvent(context, 'create', 'member_pin', row);
  return { ...row, pin };
};

export const revealMemberPin = async (
  context: WriteContext,
  address: MemberCredentialRef,
  details: CredentialEventDetails = {},
): Promise<RevealedPin> => {
  const row = await requireActiveMemberCredential(context, 'member_pin', address);
  const pin = unsealSecret(context.masterKeys, row.sealed, buildPinSealContext(row.organization_id, row.id));
  recordCredentialEvent(context, 'reveal', 'member_pin', row, details);
  return { ...row, pin };
};

/** Also releases the digits for other members. */
export const deleteMemberPin = async (context: WriteContext, address: MemberCredentialRef): Promise<MemberPinRow> => {
  const row = await deleteMemberCredential(context, 'member_pin', address);
  await releasePin(context, row.id);
  return row;
};
