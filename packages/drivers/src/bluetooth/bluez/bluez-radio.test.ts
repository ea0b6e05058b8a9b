import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BluezRadio } from './bluez-radio.ts';
import type { BluetoothDecision, BluetoothActionRequest } from '../../interfaces/bluetooth-radio.ts';
import type { PartFault } from '../../interfaces/part-fault.ts';
import { toPhoneKey } from '../../taps/nfc-phone.ts';
import {
  BLUETOOTH_REQUEST_UUID,
  BLUETOOTH_RESPONSE_UUID,
  BLUETOOTH_SERVICE_UUID,
  type BluetoothLink,
  openOverBluetooth,
} from '@lintel/member-sdk';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { FakeBluez, PrivateBus } from '@lintel/test/support/hardware/fake-bluez';

const run = promisify(execFile);
const bluetoothKey = new Uint8Array(32).fill(7);
const member = toPhoneKey(encodeMemberTokenSeed(new Uint8Array(32).fill(1)))!;
const credential = {
  organization_id: 'org_1',
  bluetoothKey,
  publicKey: member.publicKey,
  sign: async (message: Uint8Array) => member.sign(message),
};
const uuids = { request: BLUETOOTH_REQUEST_UUID, response: BLUETOOTH_RESPONSE_UUID };
const open = (link: BluetoothLink) =>
  openOverBluetooth(link, [credential], () => ({ gadget_id: 'gad_door', action_id: 'open', rssi: -40 }));

describe('BluezRadio', () => {
  let folder: string;
  let bus: PrivateBus;
  let radio: BluezRadio;
  let identifier: Uint8Array | null;
  let decision: BluetoothDecision;
  let bluez: FakeBluez | null = null;
  const requests: BluetoothActionRequest[] = [];
  const faults: (PartFault | null)[] = [];

  beforeEach(async context => {
    requireProgram(context, { command: 'dbus-daemon', install: 'apt-get install dbus' });
    folder = mkdtempSync(join(tmpdir(), 'lintel-bus-'));
    bus = await PrivateBus.start(folder);
    [identifier, decision] = [Uint8Array.of(1, 2, 3, 4, 5, 6), 'granted'];
    requests.length = 0;
    faults.length = 0;
    radio = new BluezRadio({
      busAddress: bus.address,
      adapter: null,
      clock: new ProcessClock(),
      log: () => undefined,
      identifier: async () => identifier,
      identity: () => ({ organization_id: 'org_1', device_id: 'dev_1' }),
      bluetoothKey: () => bluetoothKey,
      randomBytes,
    });
    radio.onRequest(request => {
      requests.push(request);
      return decision;
    });
    radio.onFault(fault => faults.push(fault));
  });

  afterEach(async () => {
    bluez?.stop();
    bluez = null;
    await radio.close();
    await bus.stop();
    rmSync(folder, { recursive: true });
  });

  it('advertises the service with the identifier, and nothing else', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    expect(faults).toEqual([]);
    expect(bluez.advertisements).toEqual([
      { serviceUuids: [BLUETOOTH_SERVICE_UUID], company: 0xffff, data: Buffer.of(1, 2, 3, 4, 5, 6) },
    ]);
    expect(Object.fromEntries(bluez.characteristics)).toMatchObject({
      [BLUETOOTH_REQUEST_UUID]: { flags: ['write', 'write-without-response'] },
      [BLUETOOTH_RESPONSE_UUID]: { flags: ['read'] },
    });
  });

  it('opens for several phones at the same time', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    const phones = [23, 185, 517].map((mtu, index) => bluez!.phone(`phone_${index}`, mtu, uuids));
    expect(await Promise.all(phones.map(open))).toEqual(['granted', 'granted', 'granted']);
    expect(requests[0]).toMatchObject({ gadget_id: 'gad_door', phoneRssi: -40, controllerRssi: null });
    decision = 'denied';
    expect(await open(phones[0]!)).toBe('denied');
  });

  it('ends the exchange of a phone that disconnects', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    const phone = bluez.phone('phone_a', 185, uuids);
    await phone.write(Uint8Array.of(0x80, 9));
    phone.disconnect();
    await expect.poll(() => phone.read()).toEqual(new Uint8Array());
  });

  it('advertises another identifier when the period changes', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    identifier = Uint8Array.of(6, 5, 4, 3, 2, 1);
    await radio.start();
    identifier = null;
    await radio.start();
    expect(bluez.advertisements.map(({ data }) => data.toString('hex'))).toEqual(['010203040506', '060504030201']);
    expect(bluez.isAdvertising).toBe(false);
  });

  it('reports a missing service and a missing adapter, and recovers', async () => {
    await radio.start();
    expect(faults.at(-1)).toMatchObject({
      kind: 'absent',
      message: 'Bluetooth: The Bluetooth service (bluetoothd) is not running',
    });
    bluez = await FakeBluez.start(bus.address, { hasAdapter: false });
    await expect.poll(() => faults.at(-1)?.message).toBe('Bluetooth: No adapter that can advertise');
    bluez.stop();
    bluez = await FakeBluez.start(bus.address);
    await expect.poll(() => faults.at(-1)).toBeNull();
    expect(await open(bluez.phone('phone_a', 185, uuids))).toBe('granted');
  });

  it('registers again after bluetoothd was restarted', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    bluez.stop();
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    bluez = await FakeBluez.start(bus.address);
    await expect.poll(() => bluez!.isAdvertising).toBe(true);
    expect(await open(bluez.phone('phone_a', 23, uuids))).toBe('granted');
    expect(faults.at(-1)).toBeNull();
  });

  it('connects again after the message bus was restarted', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    bluez.stop();
    await bus.stop();
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    bus = await PrivateBus.start(folder);
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    expect(await open(bluez.phone('phone_a', 185, uuids))).toBe('granted');
  });

  it('exports objects that another implementation of D-Bus reads', async () => {
    bluez = await FakeBluez.start(bus.address);
    await radio.start();
    const names = await run('dbus-send', [
      `--bus=${bus.address}`,
      '--print-reply=literal',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus.ListNames',
    ]);
    const owners = [...names.stdout.matchAll(/:1\.\d+/g)].map(([name]) => name);
    const replies = await Promise.allSettled(
      owners.map(owner =>
        run('dbus-send', [
          `--bus=${bus.address}`,
          '--print-reply',
          `--dest=${owner}`,
          '/net/lintel/bluetooth',
          'org.freedesktop.DBus.ObjectManager.GetManagedObjects',
        ]),
      ),
    );
    const shown = replies.flatMap(reply => (reply.status === 'fulfilled' ? [reply.value.stdout] : [])).join('\n');
    expect(shown).toContain(BLUETOOTH_SERVICE_UUID);
    expect(shown).toContain('string "write-without-response"');
  });
});
