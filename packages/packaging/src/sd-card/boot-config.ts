import type { HardwareBus } from '@lintel/drivers/drivers';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { detectLineBreak, splitLines, removeMarkedBlock } from './remove-marked-block.ts';

const marks = { begin: '# lintel: begin', end: '# lintel: end' };

/** The parts of a profile that need settings of the board. */
export type BoardProfileFields = Pick<Profile, 'buses'> & Partial<Pick<Profile, 'power'>>;

const portOf = (bus: HardwareBus): string => ('port' in bus && 'path' in bus.port ? bus.port.path : '');

/** The port on pins 8 and 10, which the system uses for a console and, on most boards, for Bluetooth. */
export const usesSerialHeaderPins = ({ buses }: Pick<Profile, 'buses'>): boolean =>
  Object.values(buses).some(bus => /^\/dev\/(?:ttyAMA0|serial0|ttyS0)$/.test(portOf(bus)));

/** Ports of the board whose overlay depends on the pins, so that the installer has to choose it. */
export const listPortsWithoutKnownOverlay = ({ buses }: Pick<Profile, 'buses'>): Array<{ bus: string; path: string }> =>
  Object.entries(buses)
    .map(([bus, settings]) => ({ bus, path: portOf(settings) }))
    .filter(({ path }) => /^\/dev\/ttyAMA[1-9]/.test(path));

const SERIAL_SETTINGS = [
  'enable_uart=1',
  '[pi5]',
  'dtparam=uart0=on',
  ...['[pi4]', '[pi3]', '[pi02]'].flatMap(board => [board, 'dtoverlay=disable-bt']),
  '[all]',
];

/** The I2C bus on pins 3 and 5. */
const usesI2cPins = ({ buses, power }: BoardProfileFields): boolean =>
  [...Object.values(buses), power?.gauge].some(part => part !== undefined && 'bus' in part && part.bus === 1);

/** The SPI bus on pins 19 to 26. */
const usesSpiPins = ({ buses }: BoardProfileFields): boolean =>
  Object.values(buses).some(bus => 'device' in bus && bus.device.startsWith('/dev/spidev0.'));

/** `config.txt` with the board settings that the profile needs, after the settings that are in it. */
export const extendBootConfig = (config: string, profile: BoardProfileFields): string => {
  const lines = [
    ...removeMarkedBlock(splitLines(config), marks),
    marks.begin,
    '[all]',
    '# The board starts again when the system hangs.',
    'dtparam=watchdog=on',
    ...(usesI2cPins(profile) ? ['dtparam=i2c_arm=on'] : []),
    ...(usesSpiPins(profile) ? ['dtparam=spi=on'] : []),
    ...(usesSerialHeaderPins(profile) ? SERIAL_SETTINGS : []),
    marks.end,
  ];
  return lines.map(line => `${line}${detectLineBreak(config)}`).join('');
};
