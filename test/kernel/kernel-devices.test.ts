import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemberPhone } from '@lintel/member-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostArchitecture } from '../image/virtual-machine/tested-architectures.ts';
import { ImageSite } from '../image/virtual-machine/bridge-site-on-host.ts';
import { requireParts } from '../image/virtual-machine/required-packages.ts';
import { runTool } from '../image/virtual-machine/run-tool.ts';
import { enrollPhone } from './enroll-phone.ts';
import { writeGuestFiles } from './write-guest-files.ts';
import { AgentServer, GuestMachine } from './guest-machine.ts';
import { createInitramfsArchive, prepareGuestRoot } from './guest-root-filesystem.ts';
import { FIRMWARE_USER, STRIKE_LINE } from './virtual-machine-settings.ts';
import { connectToController, scanForController } from './phone-bluetooth-link.ts';

/** With their Debian packages. */
const PROGRAMS = {
  'qemu-system-x86_64': 'qemu-system-x86',
  mmdebstrap: 'mmdebstrap',
  'dpkg-deb': 'dpkg',
  cpio: 'cpio',
  depmod: 'kmod',
};
const BOOT_MS = 900_000;
const CARD = { digits: '0010597059', uid: '00a1b2c3' };
const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lintel');

// Ends the virtual machine and the bridge when the run is aborted.
process.once('disconnect', () => process.exit(1));

describe("Firmware on Debian's kernel", () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-kernel-test-'));
  const began = performance.now();
  const figures: Record<string, number> = {};
  let site: ImageSite;
  let machine: GuestMachine;
  let phone: MemberPhone;
  let openings = 0;

  const measure = (name: string): void => {
    figures[name] = Math.round((performance.now() - began) / 1000);
  };

  const isUnlocked = async (): Promise<boolean> =>
    (((await machine.order('expanderLevels', {})) >> STRIKE_LINE) & 1) === 1;

  const openDoor = async (): Promise<string> => {
    const found = await scanForController(machine);
    const [door] = await phone.recognize(Buffer.from(found.identifier, 'hex'));
    if (door === undefined) throw new Error(`No door of the phone has the identifier ${found.identifier}`);
    const link = await connectToController(machine, found);
    try {
      return await phone.openDoor(link, { door, rssi: -40 });
    } finally {
      await link.close();
    }
  };

  beforeAll(async () => {
    requireParts(PROGRAMS, 'The test with the kernel of Debian');
    if (hostArchitecture() !== 'amd64') throw new Error('The test with the kernel of Debian requires an amd64 host');
    const root = await prepareGuestRoot(cacheDir);
    site = await ImageSite.open(folder);
    await site.call('POST', `/v2/members/${await site.memberId()}/cards`, { uid: CARD.uid });
    const server = await AgentServer.open();
    const [files, work] = [join(folder, 'files'), join(folder, 'work')];
    mkdirSync(files);
    mkdirSync(work);
    const claim = { bridge: site.url, code: await site.claimCode(), caFingerprint: site.fingerprint };
    await writeGuestFiles(files, work, { claim, agentPort: server.port });
    await createInitramfsArchive(files, join(folder, 'files.cpio'));
    const initramfs = join(folder, 'initramfs');
    await runTool('sh', '-c', 'cat "$0" "$1" >"$2"', root.archive, join(folder, 'files.cpio'), initramfs);
    measure('prepared_s');
    const ports = [site.ports.https, site.ports.mqtts];
    machine = await GuestMachine.start({ kernel: root.kernel, initramfs, folder, ports }, server);
    measure('started_s');
    await site.waitUntilServed(BOOT_MS);
    measure('online_s');
  });

  afterAll(async () => {
    measure('total_s');
    await machine?.stop();
    await site?.stopBridge();
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    if (process.env['LINTEL_IMAGE_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
    else process.stdout.write(`kept: ${folder}\n`);
  });

  it('runs without root and without capabilities', async () => {
    const status = await machine.order('firmwareStatus', {});
    expect(status).toMatch(new RegExp(`^Uid:\\s+${FIRMWARE_USER}\\s+${FIRMWARE_USER}\\s`, 'm'));
    expect(status).toMatch(/^Groups:\s*$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
  });

  /** The strike output of the port expander switches on and off, and the bridge gets an event. */
  const expectOpening = async (): Promise<void> => {
    openings += 1;
    await expect.poll(isUnlocked).toBe(true);
    await expect.poll(isUnlocked).toBe(false);
    await expect.poll(() => site.uses()).toBe(openings);
  };

  it('opens a door for a PIN on a USB keypad, through evdev and I2C', async () => {
    await machine.order('enterPin', { digits: site.pin });
    await expectOpening();
    measure('pin_s');
  });

  it('opens a door for a card at a keyboard-wedge reader', async () => {
    await machine.order('presentCard', { digits: CARD.digits });
    await expectOpening();
    measure('card_s');
  });

  it('switches a USB relay whose state usbrelay prints, and switches off what usbrelay has switched on', async () => {
    const printedStates = () => machine.order('usbrelay', { args: [] });
    await expect.poll(printedStates).toBe('LINTL_1=0\nLINTL_2=0\n');
    await machine.order('enterPin', { digits: site.pin });
    await expect.poll(printedStates).toBe('LINTL_1=1\nLINTL_2=0\n');
    await expect.poll(printedStates).toBe('LINTL_1=0\nLINTL_2=0\n');
    const before = (await machine.order('usbRelayStates', {})).length;
    await machine.order('usbrelay', { args: ['LINTL_2=1'] });
    await expect.poll(async () => (await machine.order('usbRelayStates', {})).slice(before)).toEqual([2, 0]);
    await expect.poll(printedStates).toBe('LINTL_1=0\nLINTL_2=0\n');
    openings += 1;
    await expect.poll(() => site.uses()).toBe(openings);
    measure('usb_relay_s');
  });

  it('opens a door for a phone over BlueZ', async () => {
    phone = await enrollPhone(site, await site.memberId());
    await expect.poll(openDoor).toBe('granted');
    await expectOpening();
    measure('phone_s');
  });

  it('opens a door for a phone after bluetoothd was killed and started again', async () => {
    await machine.order('restartBluetoothDaemon', {});
    expect(await openDoor()).toBe('granted');
    await expectOpening();
    measure('phone_after_restart_s');
  });

  it('denies a phone whose token was deleted', async () => {
    const [{ member_id, member_token_id } = { member_id: '', member_token_id: '' }] = await phone.enrollments();
    await site.call('DELETE', `/v2/members/${member_id}/tokens/${member_token_id}`);
    await expect.poll(openDoor).toBe('denied');
    expect(await isUnlocked()).toBe(false);
    measure('revoked_s');
  });

  it('sends nothing that the message bus rejects, and answers everything that bluetoothd asks', () => {
    expect(machine.console()).not.toContain('Rejected send message');
    expect(machine.console()).not.toContain('is not supported');
  });
});
