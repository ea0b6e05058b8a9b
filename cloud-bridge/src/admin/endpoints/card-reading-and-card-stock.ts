import type { OAuthApplicationId, UserId } from '@lintel/access-core/ids';
import {
  createCardEnrollmentRequestSchema,
  readNextCardResponseSchema,
} from '@lintel/wire-protocol/admin/read-next-card';
import {
  importCardStockRequestSchema,
  importCardStockResponseSchema,
  inventoryCardResponseSchema,
} from '@lintel/wire-protocol/admin/card-stock';
import { hasPermission } from '../../accounts/role-permissions.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { cancelNextCardRead, readNextCardUid } from '../../devices/remote-technician/read-next-card-uid.ts';
import type {
  RemoteTechnicianSubject,
  TechnicianRequestForwarder,
} from '../../devices/remote-technician/technician-request-forwarder.ts';
import { ApiError } from '../../http/api-error.ts';
import { type CardInventoryRow, listCardInventory } from '../../resources/card-inventory.ts';
import { importStockCards, previewStockCardImport } from '../../resources/card-stock.ts';
import { parseValidCardStockCsv, parseCardStockCsvWithErrors } from '../../resources/card-stock-csv.ts';
import { findActiveCard } from '../../resources/cards.ts';
import { isVirtualDevice } from '../../resources/gateway-and-virtual-devices.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { defineAdminListEndpoint } from '../paginated-list-endpoint.ts';
import { requireAccessibleDevice } from '../site-access.ts';

const remoteSubjectOf = ({ userId, applicationId }: AdminCaller): RemoteTechnicianSubject => ({
  user_id: userId as UserId | null,
  oauth_application_id: applicationId as OAuthApplicationId | null,
});

/** Reads the UID of a new card at a door. The events show who waited for a card, and who received a UID. */
export const createReadNextCardEndpoint = (technicians: TechnicianRequestForwarder): AdminEndpoint =>
  defineAdminEndpoint({
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/enroll_card`,
    tag: 'Cards',
    summary: 'Wait up to 60 s for the next card at a reader and return its UID; the card opens nothing',
    body: createCardEnrollmentRequestSchema,
    response: readNextCardResponseSchema,
    requiredPermission: 'cards.write',
    errors: ['hardware_offline'],
    managesOwnTransaction: true,
    handle: async call => {
      const { caller, body } = call;
      const device = await writeAsCaller(call, async context => {
        const found = await requireAccessibleDevice(context, caller, call.params['device_id']!);
        if (isVirtualDevice(found)) throw new ApiError('hardware_offline', 'A virtual device has no card reader');
        const object = { type: 'device', device_id: found.id, site_id: found.site_id };
        context.log({ verb: 'use', object, reason: 'card_enrollment' });
        return found;
      });
      const { outcome, reader, uid } = await readNextCardUid(
        technicians,
        device.id,
        body.reader ?? null,
        remoteSubjectOf(caller),
      );
      if (uid === null) return { outcome, reader, uid, card_id: null };
      return writeAsCaller(call, async context => {
        const object = { type: 'device', device_id: device.id, site_id: device.site_id };
        context.log({ verb: 'reveal', object, reason: 'card_enrollment' });
        return { outcome, reader, uid, card_id: (await findActiveCard(context, 'uid', uid))?.id ?? null };
      });
    },
  });

export const createCancelNextCardReadEndpoint = (technicians: TechnicianRequestForwarder): AdminEndpoint =>
  defineAdminEndpoint({
    method: 'DELETE',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/enroll_card`,
    tag: 'Cards',
    summary:
      'Stop waiting for a card at the readers of a controller; the wait of another user only as an administrator',
    response: readNextCardResponseSchema,
    requiredPermission: 'cards.write',
    errors: ['hardware_offline'],
    managesOwnTransaction: true,
    handle: async call => {
      const { caller } = call;
      const device = await writeAsCaller(call, context =>
        requireAccessibleDevice(context, caller, call.params['device_id']!),
      );
      if (isVirtualDevice(device)) throw new ApiError('hardware_offline', 'A virtual device has no card reader');
      const ofAnyUser = hasPermission(caller, 'devices.write');
      await cancelNextCardRead(technicians, device.id, remoteSubjectOf(caller), { ofAnyUser });
      return { outcome: 'no_card', reader: null, uid: null, card_id: null };
    },
  });

export const cardStockImportEndpoint = defineAdminEndpoint({
  method: 'POST',
  path: `${ORGANIZATION_PATH_PREFIX}/card_stock`,
  tag: 'Cards',
  summary: 'Import delivered cards, with printed codes and UIDs, from CSV, or only check the file',
  body: importCardStockRequestSchema,
  response: importCardStockResponseSchema,
  requiredPermission: 'cards.write',
  handle: call =>
    writeAsCaller(call, context =>
      call.body.dry_run
        ? previewStockCardImport(context, parseCardStockCsvWithErrors(call.body.csv))
        : importStockCards(context, parseValidCardStockCsv(call.body.csv)),
    ),
});

export const createCardInventoryEndpoint = ({ storage }: BridgeServices): AdminEndpoint =>
  defineAdminListEndpoint<CardInventoryRow>({
    requiredPermission: 'cards.read',
    path: `${ORGANIZATION_PATH_PREFIX}/card_inventory`,
    tag: 'Cards',
    summary: 'List the cards of the organization and of its stock, with the members who have them',
    response: inventoryCardResponseSchema,
    name: 'card inventory',
    filters: {
      search: 'Part of the printed code, the UID, the name of the card or the name of the member',
      card_id: 'Only this card',
    },
    read: ({ organizationId }, page) => listCardInventory(storage.reader, organizationId, page),
    idOf: ({ id }) => id,
    toObject: row => ({ ...row, is_stock: row.is_stock === 1 }),
  });
