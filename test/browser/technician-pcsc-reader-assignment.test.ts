import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { PcscProcessService, PcscReaderAssignments, type PcscService } from '@lintel/drivers/pcsc';
import { afterEach, describe, expect, it } from 'vitest';
import { PcscReaders } from '@lintel/drivers/testing/parts';
import { builtPages } from '../support/browser/built-pages.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { PcscDaemon, requirePcsc } from '../support/hardware/pcsc-daemon.ts';
import { respondWithUid, STORAGE_CARD_ATR, VirtualCard } from '../support/hardware/virtual-card.ts';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

const [FRONT_PORT, BACK_PORT] = ['1-1.2', '1-1.4'] as const;
const [FRONT_SLOT, BACK_SLOT] = [0, 1] as const;

/** The virtual readers are not on USB, so their USB ports are given by their slots. All the rest is the real service. */
const createServiceWithUsbPorts = (clock: ProcessClock, seen: Set<string>): PcscService => {
  const service = new PcscProcessService(clock);
  return {
    open: async watcher => {
      const changed: typeof watcher.changed = (reader, hasCard) => {
        seen.add(reader);
        watcher.changed(reader, hasCard);
      };
      const session = await service.open({ ...watcher, changed });
      const locate = async (reader: string) => ({
        usb_path: reader.endsWith('01') ? BACK_PORT : FRONT_PORT,
        serial: null,
      });
      return { ...session, locate };
    },
    close: () => service.close(),
  };
};

const createProfile = (): Profile => {
  const shipped = loadProfiles().find(({ product_id }) => product_id === 'laptop-simulator')!;
  const { product_id, name, revision, capabilities } = shipped;
  const checked = checkProfile({
    product_id,
    name,
    revision,
    capabilities: { ...capabilities, pin: false, audio: false },
    buses: { cards: { driver: 'pcsc', readers: { front: { assign: 'by_tap' }, back: { assign: 'by_tap' } } } },
    stations: { front_door: { reader: 'front' }, back_door: { reader: 'back' } },
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.profile;
};

describe('tests screen with two equal PC/SC readers', () => {
  const browser = useBrowser();
  const closing: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  }, HOOK_TIMEOUT);

  it('assigns each reader by a card, and its cards count for its door at once', { tags: ['slow'] }, async context => {
    requirePcsc(context);
    const daemon = await PcscDaemon.start('ACS ACR122U PICC Interface');
    closing.push(() => daemon.close());
    const clock = new ProcessClock();
    const seen = new Set<string>();
    const door = new TechnicianApiFixture();
    closing.push(() => door.remove());
    const pcscReaders = new PcscReaderAssignments(door.folder);
    await door.open({
      pages: builtPages,
      profile: createProfile(),
      pcscReaders,
      createPcscService: () => createServiceWithUsbPorts(clock, seen),
    });

    // The readers as the driver opens them for the profile.
    const readers = new PcscReaders({
      clock,
      log: () => undefined,
      phones: null,
      service: createServiceWithUsbPorts(clock, new Set()),
    });
    closing.push(() => readers.close());
    pcscReaders.onChange(() => readers.choicesChanged());
    const taps: string[] = [];
    for (const name of ['front', 'back']) {
      const reader = readers.reader(() => {
        const usb_path = pcscReaders.usbPathOf(name);
        return usb_path === null ? { isUnassigned: true } : { usb_path };
      });
      reader.onCard(uid => taps.push(`${name} ${uid}`));
    }
    const tap = async (slot: 0 | 1, isDone: () => boolean | Promise<boolean>): Promise<void> => {
      const card = await VirtualCard.insert(daemon.port(slot), STORAGE_CARD_ATR, respondWithUid('04a1b2c3'));
      await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
      await card.remove();
    };

    const technician = await TechnicianPageDriver.open(browser, phone, door.technician.url, `#code=${door.setupCode}`);
    await technician.connected();
    await technician.goTo('Tests');
    const section = technician.page.getByRole('region', { name: 'Assign the card readers' });
    await expect.poll(() => section.getByText('not assigned').count()).toBe(2);
    await checkScreen(technician.page, 'reader-assignment');

    const assign = async (station: string, slot: 0 | 1, port: string): Promise<void> => {
      seen.clear();
      await section.getByRole('button', { name: `${station}: Assign by card` }).click();
      await section.getByText(`Hold a card at the reader of ${station}`).waitFor();
      await expect.poll(() => seen.size).toBe(2);
      await tap(slot, async () => (await section.getByText(`USB port ${port}`).count()) === 1);
    };
    await assign('back_door', BACK_SLOT, BACK_PORT);
    await assign('front_door', FRONT_SLOT, FRONT_PORT);
    const saved = new PcscReaderAssignments(door.folder);
    expect([saved.usbPathOf('front'), saved.usbPathOf('back')]).toEqual([FRONT_PORT, BACK_PORT]);

    taps.length = 0;
    await tap(BACK_SLOT, () => taps.length === 1);
    await tap(FRONT_SLOT, () => taps.length === 2);
    expect(taps).toEqual(['back 04a1b2c3', 'front 04a1b2c3']);
  });
});
