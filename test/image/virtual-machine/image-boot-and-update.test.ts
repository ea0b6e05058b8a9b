import {
  copyFileSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { testedArchitectures } from './tested-architectures.ts';
import { guestModules } from './build-guest-kernel-modules.ts';
import { guestOverlay } from './guest-overlay.ts';
import { requirePackages } from './required-packages.ts';
import { brokenRelease, newRelease } from './new-and-broken-releases.ts';
import { imageProfile } from './image-hardware-profile.ts';
import { ImageSite } from './bridge-site-on-host.ts';
import { VirtualMachine } from './virtual-machine.ts';

const CARD_BYTES = 2 * 2 ** 30;
const BOOT_MS = 1_500_000;
/** A roll-out with its trial boot and, if it fails, the boot after the rollback. */
const ROLLOUT_MS = 2 * BOOT_MS;
const TAPS = 20;

const architectures = testedArchitectures();
const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lintel');

interface Built {
  readonly bytes: number;
  readonly kernel: string;
}

const readyAfter = (journal: string): number =>
  Number(/^\[ *([\d.]+)\].*\{"ready":true/m.exec(journal)?.[1] ?? Number.NaN);

// Ends the virtual machine and the bridge when the run is aborted.
process.once('disconnect', () => process.exit(1));

describe.each(architectures)('Image for %s', architecture => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-image-test-'));
  const card = join(folder, 'card.img');
  const figures: Record<string, number> = {};
  let site: ImageSite;
  let machine: VirtualMachine;

  const start = async (): Promise<void> => {
    const ports = [site.ports.https, site.ports.mqtts];
    machine = await VirtualMachine.start({ architecture, disk: card, folder: join(folder, 'machine'), ports });
  };

  beforeAll(async () => {
    requirePackages(architecture);
    site = await ImageSite.open(folder);
    const modules = await guestModules(architecture, cacheDir);
    const overlay = guestOverlay(join(folder, 'overlay'), modules);
    const profile = join(folder, 'profile.json');
    writeFileSync(profile, JSON.stringify(imageProfile));
    const image = join(folder, 'door.img');
    const claim = ['--bridge', site.url, '--code', await site.claimCode(), '--ca-fingerprint', site.fingerprint];
    const call = ['--profile', profile, '--out', image, '--arch', architecture, '--overlay', overlay, ...claim];
    const keys = ['--release-keys', site.releaseKeys];
    const began = performance.now();
    const { code, stdout, stderr } = await runLintel('image', 'build', ...call, ...keys, '--json');
    if (code !== 0) throw new Error(stderr);
    figures['build_s'] = Math.round((performance.now() - began) / 1000);
    const built = JSON.parse(stdout) as Built;
    if (built.kernel !== modules.kernel)
      throw new Error(
        `The cached gpio-sim is for ${modules.kernel}, the image has ${built.kernel}: delete ${cacheDir}/kernel-*`,
      );
    figures['image_mb'] = Math.round(built.bytes / 1e6);
    mkdirSync(folder, { recursive: true });
    copyFileSync(image, card, constants.COPYFILE_FICLONE);
    truncateSync(card, CARD_BYTES);
  });

  afterAll(async () => {
    await machine?.cutPower();
    await site?.stopBridge();
    process.stdout.write(`${JSON.stringify({ architecture, ...figures })}\n`);
    if (process.env['LINTEL_IMAGE_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
    else process.stdout.write(`kept: ${folder}\n`);
  });

  it('boots, grows its data partition, claims the controller and goes online', async () => {
    await start();
    await site.waitUntilServed(BOOT_MS);
    expect(await site.devices()).toHaveLength(1);
    expect(machine.journal()).toContain('the data partition has grown from 128 to');
    figures['door_ready_s'] = readyAfter(machine.journal());
    expect(statSync(card).size).toBe(CARD_BYTES);
  });

  it('opens the door for a PIN and reports the event to the bridge', async () => {
    machine.type(site.pin);
    await expect.poll(() => machine.relay(), { timeout: 60_000 }).toMatch(/10$/);
    await expect.poll(() => site.uses(), { timeout: 60_000 }).toBe(1);
    await expect.poll(() => machine.residentMb(), { timeout: 60_000 }).toBeGreaterThan(0);
    figures['resident_mb'] = machine.residentMb();
  });

  it('uses its reader again after it was unplugged', async () => {
    machine.tap(site.tag);
    await expect.poll(() => site.uses(), { timeout: 60_000 }).toBe(2);
    await machine.unplugReader();
    await expect.poll(() => machine.hasReader(), { timeout: 60_000 }).toBe(false);
    await machine.plugReader();
    await expect.poll(() => machine.hasReader(), { timeout: 60_000 }).toBe(true);
    const before = machine.openings();
    await expect
      .poll(
        () => {
          machine.tap(site.tag);
          return machine.openings();
        },
        { timeout: 120_000, interval: 3_000 },
      )
      .toBeGreaterThan(before);
  });

  it('loses no event when power fails during offline taps', async () => {
    await site.waitUntilSettled();
    const reported = await site.uses();
    await site.stopBridge();
    const before = machine.openings();
    for (let tap = 0; tap < TAPS / 2; tap++) {
      const openings = machine.openings();
      machine.tap(site.tag);
      await expect.poll(() => machine.openings(), { timeout: 60_000, interval: 20 }).toBe(openings + 1);
      await machine.waitUntilLocked();
    }
    machine.tap(site.tag);
    const seen = machine.openings() - before;
    await machine.cutPower();
    await site.startBridge();
    await start();
    await site.waitUntilServed(BOOT_MS);
    await expect.poll(async () => (await site.uses()) - reported, { timeout: 120_000 }).toBeGreaterThanOrEqual(seen);
    expect((await site.uses()) - reported).toBeLessThanOrEqual(seen + 1);
    expect(seen).toBeGreaterThanOrEqual(TAPS / 2);
    figures['second_door_ready_s'] = readyAfter(machine.journal());
    const openings = machine.openings();
    for (let tap = TAPS / 2; tap < TAPS; tap++) {
      machine.tap(site.tag);
      await expect
        .poll(() => machine.openings(), { timeout: 60_000, interval: 20 })
        .toBe(openings + tap - TAPS / 2 + 1);
      await machine.waitUntilLocked();
    }
  });

  it('installs a release from the bridge and opens the door with it', async () => {
    const release = await newRelease(site, architecture, '0.1.1');
    const rollout = await site.rollOut(release);
    await expect.poll(() => site.outcomeOf(rollout), { timeout: ROLLOUT_MS, interval: 2_000 }).toBe('confirmed');
    const before = machine.openings();
    machine.type(site.pin);
    await expect.poll(() => machine.openings(), { timeout: 60_000 }).toBe(before + 1);
  });

  it('rolls back from a release that does not start, and opens the door', async () => {
    const rollout = await site.rollOut(await brokenRelease(site, '0.1.2'));
    await expect.poll(() => site.outcomeOf(rollout), { timeout: ROLLOUT_MS, interval: 2_000 }).toMatch(/^rolled_back/);
    await site.waitUntilServed(BOOT_MS);
    const before = machine.openings();
    machine.type(site.pin);
    await expect.poll(() => machine.openings(), { timeout: 60_000 }).toBe(before + 1);
  });
});
