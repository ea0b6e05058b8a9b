import type { OAuthApplicationId, UserId } from '@lintel/access-core/ids';
import { cardEnrollmentCreate, cardEnrollmentResponse } from '@lintel/wire-protocol/admin/card-enrollment';
import { cardStockImport, cardStockImportResponse } from '@lintel/wire-protocol/admin/card-stock';
import { writeAsCaller } from '../../api/endpoint.ts';
import { enrollCard } from '../../devices/remote-technician/enroll-card.ts';
import type { TechnicianRequestForwarder } from '../../devices/remote-technician/technician-request-forwarder.ts';
import { ApiError } from '../../http/api-error.ts';
import { importStockCards } from '../../resources/card-stock.ts';
import { parseCardStockCsv } from '../../resources/card-stock-csv.ts';
import { findActiveCard } from '../../resources/cards.ts';
import { isVirtualDevice } from '../../resources/device-constraints.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH } from '../admin-endpoint.ts';
import { requireAccessibleDevice } from '../site-access.ts';

/** Reads the UID of a new card at a door. The events show who waited for a card, and who received a UID. */
export const cardEnrollmentEndpoint = (technicians: TechnicianRequestForwarder): AdminEndpoint =>
  defineAdminEndpoint({
    method: 'POST',
    path: `${ORGANIZATION_PATH}/devices/:device_id/enroll_card`,
    tag: 'Cards',
    summary: 'Wait up to 60 s for the next card at a reader and return its UID; the card opens nothing',
    body: cardEnrollmentCreate,
    response: cardEnrollmentResponse,
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
      const subject = {
        user_id: caller.userId as UserId | null,
        oauth_application_id: caller.applicationId as OAuthApplicationId | null,
      };
      const { outcome, reader, uid } = await enrollCard(technicians, device.id, body.reader ?? null, subject);
      if (uid === null) return { outcome, reader, uid, card_id: null };
      return writeAsCaller(call, async context => {
        const object = { type: 'device', device_id: device.id, site_id: device.site_id };
        context.log({ verb: 'reveal', object, reason: 'card_enrollment' });
        return { outcome, reader, uid, card_id: (await findActiveCard(context, 'uid', uid))?.id ?? null };
      });
    },
  });

export const cardStockEndpoint = defineAdminEndpoint({
  method: 'POST',
  path: `${ORGANIZATION_PATH}/card_stock`,
  tag: 'Cards',
  summary: 'Import delivered cards, with printed codes and UIDs, from CSV',
  body: cardStockImport,
  response: cardStockImportResponse,
  requiredPermission: 'cards.write',
  handle: call => writeAsCaller(call, context => importStockCards(context, parseCardStockCsv(call.body.csv))),
});
