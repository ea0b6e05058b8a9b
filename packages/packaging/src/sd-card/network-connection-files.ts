import { pbkdf2Sync } from 'node:crypto';

/** The address that NetworkManager uses when it shares a connection. */
export const HOTSPOT_ADDRESS = '10.42.0.1';

export interface WifiCredentials {
  readonly ssid: string;
  readonly password: string;
}

/** The key that the password gives in this network, so that the password itself is not on the card. */
const keyOf = ({ ssid, password }: WifiCredentials): string =>
  /^[0-9a-fA-F]{64}$/.test(password)
    ? password.toLowerCase()
    : pbkdf2Sync(password, ssid, 4096, 32, 'sha1').toString('hex');

/** As bytes, so that any name is valid in the file. */
const ssidOf = (ssid: string): string => [...Buffer.from(ssid)].map(byte => `${byte};`).join('');

const keyFile = (sections: Readonly<Record<string, Readonly<Record<string, string>>>>): string =>
  Object.entries(sections)
    .map(([name, values]) => [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key}=${value}`), ''])
    .map(lines => lines.join('\n'))
    .join('\n');

export const formatWifiConnectionFile = (wifi: WifiCredentials, uuid: string): string =>
  keyFile({
    connection: { id: 'lintel-wifi', uuid, type: 'wifi', autoconnect: 'true' },
    wifi: { mode: 'infrastructure', ssid: ssidOf(wifi.ssid) },
    'wifi-security': { 'key-mgmt': 'wpa-psk', psk: keyOf(wifi) },
    ipv4: { method: 'auto' },
    ipv6: { method: 'auto' },
  });

/** Started by lintel-hotspot.service only. */
export const formatHotspotConnectionFile = (wifi: WifiCredentials, uuid: string): string =>
  keyFile({
    connection: {
      id: 'lintel-hotspot',
      uuid,
      type: 'wifi',
      'interface-name': 'wlan0',
      autoconnect: 'false',
      'autoconnect-priority': '-999',
    },
    wifi: { mode: 'ap', band: 'bg', ssid: ssidOf(wifi.ssid) },
    // The Pi's radio does not support protected management frames as an access point.
    'wifi-security': {
      'key-mgmt': 'wpa-psk',
      proto: 'rsn;',
      pairwise: 'ccmp;',
      group: 'ccmp;',
      pmf: '1',
      psk: keyOf(wifi),
    },
    ipv4: { method: 'shared', address1: `${HOTSPOT_ADDRESS}/24` },
    ipv6: { method: 'ignore' },
  });
