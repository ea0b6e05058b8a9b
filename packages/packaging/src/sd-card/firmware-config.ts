import type { Bus } from '@lintel/hardware-profiles/buses';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { linesOf, lineEndOf, withoutBlock } from './marked-block.ts';

const marks = { begin: '# lintel: begin', end: '# lintel: end' };

const portOf = (bus: Bus): string | null => ('port' in bus && 'path' in bus.port ? bus.port.path : null);

const isSerialPins = (path: string | null): boolean => path !== null && /^\/dev\/(?:ttyAMA0|serial0|ttyS0)$/.test(path);

/** The port on pins 8 and 10, which the system uses for a console and, on most boards, for Bluetooth. */
export const usesSerialPins = ({ buses }: Pick<Profile, 'buses'>): boolean =>
  Object.values(buses).some(bus => isSerialPins(portOf(bus)));

/** Ports of the board that need an overlay which depends on the pins, so that only a person can choose it. */
export const otherBoardPorts = ({ buses }: Pick<Profile, 'buses'>): Array<{ bus: string; path: string }> =>
  Object.entries(buses).flatMap(([bus, one]) => {
    const path = portOf(one);
    return path !== null && /^\/dev\/ttyAMA[1-9]/.test(path) ? [{ bus, path }] : [];
  });

const settingsFor = (profile: Pick<Profile, 'buses'>): string[] => [
  '[all]',
  '# The board starts again when the system hangs.',
  'dtparam=watchdog=on',
  ...(usesSerialPins(profile)
    ? [
        'enable_uart=1',
        '[pi5]',
        'dtparam=uart0=on',
        '[pi4]',
        'dtoverlay=disable-bt',
        '[pi3]',
        'dtoverlay=disable-bt',
      ].concat(['[pi02]', 'dtoverlay=disable-bt', '[all]'])
    : []),
];

/** `config.txt` with what the profile's parts need of the board; what was in it stays and is read first. */
export const firmwareConfig = (config: string, profile: Pick<Profile, 'buses'>): string => {
  const end = lineEndOf(config);
  const lines = [...withoutBlock(linesOf(config), marks), marks.begin, ...settingsFor(profile), marks.end];
  return lines.map(line => `${line}${end}`).join('');
};
