import type { TechnicianDeviceResponse } from '@lintel/wire-protocol/admin/controller-details-for-technician';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { QrCode } from '../../components/qr-code.tsx';
import { useApiList } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';

/** Hands over to the technician page: on this screen, or on a phone that scans the code. */
export const TechnicianPagePanel = ({ device }: { readonly device: DeviceResponse }) => {
  const { device: texts } = useMessages();
  const { data: devices = [] } = useApiList<TechnicianDeviceResponse>('device', '/technician_devices', {
    site_id: device.site_id,
  });
  const controller = devices.find(({ device_id }) => device_id === device.id);
  if (controller === undefined) return null;
  const address = `${location.origin}/technician/devices/${device.id}`;
  return (
    <section class="card panel" aria-labelledby="device-on-site">
      <h2 id="device-on-site">{texts.onSite}</h2>
      <p class="quiet">{texts.onSiteText}</p>
      <p>
        <a class="button" href={address} target="_blank" rel="noreferrer">
          {texts.openTechnicianPage}
        </a>
      </p>
      <QrCode text={address} label={texts.technicianCode} />
      {controller.local_url === null ? null : (
        <p class="quiet small">
          {texts.localAddress} <a href={controller.local_url}>{controller.local_url}</a>
        </p>
      )}
    </section>
  );
};
