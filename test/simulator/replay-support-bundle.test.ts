import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createController } from '@lintel/device-runtime/main';
import {
  createDeviceEntry,
  createGadgetEntry,
  createLogWithTail,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
  startTechnicianServer,
} from '@lintel/device-runtime/testing';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import {
  describeReplayLimitations,
  type ParsedSupportBundle,
  parseSupportBundle,
  type ReplayedDecision,
  replaySupportBundle,
  ScenarioClock,
  SimulatedHardware,
} from '@lintel/simulator/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { TechnicianApiClient } from '../support/technician/technician-api-client.ts';

const profile = loadProfile(join(import.meta.dirname, '../../hardware-profiles/profiles/laptop-simulator.json'));
const START = Date.parse('2026-06-01T20:00:00Z');
const [PIN, OLD_PIN, CARD] = ['2580', '7391', '04a1b2c3d4e5f6'];

const rule = (code: string, gadget_id: string, action_id: string) => ({ code, gadget_id, action_id });
const rules = [rule('', 'gad_door', 'open'), rule('*1', 'gad_light', 'on')];

/** The support bundle of a controller after a night of use. */
const recordBundle = async (): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-field-'));
  const clock = new ScenarioClock(instant(START));
  const parts = await SimulatedHardware.open(profile, clock.machine(), dataDir);
  const { log, tail } = createLogWithTail(
    () => undefined,
    () => new Date(clock.instant),
  );
  const system = { now: () => clock.instant, isSynchronized: () => true };
  const device = createController({ ...parts.parts, dataDir, log, clock: clock.machine(), system });
  const digests = new DeviceCredentialDigester(device.digestKey);
  const entries = [
    createDeviceEntry(rules),
    createSiteEntry(),
    {
      ...createGadgetEntry({
        id: 'gad_door',
        states: ['locked', 'unlocked', 'open', 'forced'],
        signals: ['exit_button', 'forced'],
      }),
      name: 'Door',
    },
    { ...createGadgetEntry({ id: 'gad_light', created_at: 2, actions: ['on', 'off'] }), name: 'Light' },
    createMemberGroupEntry('mg_1', [{}]),
    createMemberEntry(digests, 'mem_ann', { pins: [PIN], cards: [CARD], groups: ['mg_1'] }),
    createMemberEntry(digests, 'mem_old', { pins: [OLD_PIN], groups: ['mg_1'], ends_at: START - 1 }),
  ];
  await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
  const pass = (seconds: number): void => {
    const end = instant(clock.instant + seconds * 1000);
    while (clock.fireNextAlarm(end));
  };
  parts.pressKeys('keypad', PIN);
  pass(60);
  parts.tapCard('reader', CARD);
  parts.setInput('door_contact', 'active');
  pass(4);
  parts.setInput('door_contact', 'inactive');
  pass(60);
  parts.pressKeys('keypad', `*1${PIN}`);
  pass(60);
  parts.pressKeys('keypad', OLD_PIN);
  pass(60);
  for (const wrong of ['1111#', '2222#', '3333#', '4444#']) parts.pressKeys('keypad', wrong);
  pass(5);
  parts.pressKeys('keypad', PIN);
  pass(90);
  parts.pressButton('exit_button');
  pass(60);
  parts.setInput('door_contact', 'active');
  pass(1);
  const page = await startTechnicianServer({
    dataDir,
    device,
    productId: profile.product_id,
    profile,
    log,
    logTail: tail,
    host: '127.0.0.1',
    port: 0,
    console: () => undefined,
    advertises: false,
  });
  const client = new TechnicianApiClient(page.url);
  await client.login({ code: readFileSync(join(dataDir, 'technician/setup-code'), 'utf8').trim() });
  const { text } = await client.call('GET', '/support_bundle');
  await page.stop();
  await device.stop();
  rmSync(dataDir, { recursive: true });
  return text;
};

let text: string;
const scratch = mkdtempSync(join(tmpdir(), 'lintel-replay-'));

beforeAll(async () => {
  text = await recordBundle();
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true }));

const bundleWith = (change: (bundle: Readonly<Record<string, unknown>>) => object): ParsedSupportBundle => {
  const content = JSON.parse(text) as Record<string, unknown>;
  const read = parseSupportBundle({ ...content, ...change(content) });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};

const played = async (read: ParsedSupportBundle): Promise<readonly ReplayedDecision[]> =>
  (await replaySupportBundle(read)) ?? [];

describe('replaySupportBundle', () => {
  it('repeats the decisions of a bundle, including the lockout', async () => {
    const replayed = await played(bundleWith(() => ({})));
    expect(replayed.map(({ verdict, decided }) => `${verdict} ${decided}`)).toEqual([
      'same GRANTED  open Door by pin',
      'same GRANTED  open Door by card',
      'same GRANTED  on Light by pin',
      'unknown DENIED  open Door by pin: member ended (member_ended)',
      ...Array.from({ length: 4 }, () => 'same DENIED  open Door by pin: unknown PIN or card (unknown_credential)'),
      expect.stringContaining('DENIED  '),
    ]);
    expect(replayed.at(-1)).toMatchObject({ verdict: 'same', decided: expect.stringContaining('(locked_out)') });
  });

  it('shows the decisions under other rules', async () => {
    const replayed = await played(bundleWith(() => ({ input_rules: [rule('*1', 'gad_light', 'on')] })));
    expect(replayed[0]).toMatchObject({ verdict: 'different', now: 'no rule in the bundle selects this door' });
    expect(replayed[2]).toMatchObject({ verdict: 'same', decided: 'GRANTED  on Light by pin' });
  });

  it('marks decisions that the bundle has no data for', async () => {
    const read = bundleWith(() => ({}));
    const [, , , denied] = await played(read);
    expect(denied).toMatchObject({ verdict: 'unknown', now: expect.stringContaining('not in the bundle') });
    expect(describeReplayLimitations(read).join()).toContain('A bundle contains no PINs, card numbers or names');
    const late = bundleWith(bundle => ({ events: (bundle['events'] as unknown[]).slice(0, 3), profile: null }));
    expect(describeReplayLimitations(late)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Events before number'),
        expect.stringContaining('The shipped profile laptop-simulator was used'),
      ]),
    );
  });

  it('returns null for an unknown product', async () => {
    const read = bundleWith(bundle => ({
      profile: 7,
      status: { ...(bundle['status'] as object), product_id: 'unknown-product' },
    }));
    expect(await replaySupportBundle(read)).toBeNull();
  });
});

describe('lintel simulate replay', () => {
  const fileWith = (content: string): string => {
    const file = join(scratch, 'bundle.json');
    writeFileSync(file, content);
    return file;
  };

  it('prints the recorded events, the replayed decisions and the limitations', async () => {
    const { code, stdout } = await runLintel('simulate', 'replay', fileWith(text));
    expect(code).toBe(0);
    for (const part of [
      'Recorded events',
      'Door is forced',
      'Replayed decisions',
      '9 decisions: 8 the same, 0 different, 1 unknown.',
      'Limitations of the bundle',
    ]) {
      expect(stdout).toContain(part);
    }
    const json = await runLintel('simulate', 'replay', fileWith(text), '--json');
    expect((JSON.parse(json.stdout) as { replayed: unknown[] }).replayed).toHaveLength(9);
  });

  it('replaces control characters of a bundle', async () => {
    const hostile = JSON.stringify({
      ...(JSON.parse(text) as object),
      log: ['2026-06-01T20:00:00.000Z info \u001B[2J\u0007'],
    });
    const { stdout } = await runLintel('simulate', 'replay', fileWith(hostile));
    expect(stdout).toContain('log: info \uFFFD[2J\uFFFD');
  });

  it.each(['{', '{"v": 2}', '[]', 'null'])('rejects the bundle %j', async content => {
    const { code, stderr } = await runLintel('simulate', 'replay', fileWith(content));
    expect(code).toBe(1);
    expect(stderr).toContain('bundle.json');
  });
});
