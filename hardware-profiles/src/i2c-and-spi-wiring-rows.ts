import type { WiringRow } from './wiring-row.ts';

const data = (from: string, to: string): WiringRow => ({ kind: 'data', from, to, name: '' });
const supply = (from: string, to: string): WiringRow => ({ kind: 'supply', from, to, name: '' });

/** The I2C bus on the header of a Raspberry Pi. */
export const createI2cWiringRows = (part: string): readonly WiringRow[] => [
  data('SDA, GPIO 2 (pin 3)', `${part} SDA`),
  data('SCL, GPIO 3 (pin 5)', `${part} SCL`),
  supply('3.3 V (pin 1)', `${part} VCC`),
  supply('ground (pin 9)', `${part} ground`),
];

/** The SPI bus on the header. The last digit of the device is the chip select. */
export const createSpiWiringRows = (device: string, part: string): readonly WiringRow[] => [
  data('MOSI, GPIO 10 (pin 19)', `${part} MOSI`),
  data('MISO, GPIO 9 (pin 21)', `${part} MISO`),
  data('SCLK, GPIO 11 (pin 23)', `${part} SCK`),
  data(device.endsWith('1') ? 'CE1, GPIO 7 (pin 26)' : 'CE0, GPIO 8 (pin 24)', `${part} SS`),
  supply('3.3 V (pin 17)', `${part} VCC`),
  supply('ground (pin 25)', `${part} ground`),
];

/** The chip works only while its reset input is high. */
export const RC522_RESET_WIRING_ROW: WiringRow = supply('3.3 V (pin 17)', 'RC522 RST');
