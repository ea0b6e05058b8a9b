/* What the test on the host and its program in the guest agree on. */

export const FIRMWARE_USER = 990;
export const FIRMWARE_FOLDER = '/usr/lib/lintel-controller';
export const PROFILE_PATH = '/etc/lintel/profile.json';
export const KEYPAD_LINK = 'usb-Test_Keypad-event-kbd';
export const READER_LINK = 'usb-Test_Card_reader-event-kbd';
export const EXPANDER_BUS = 0;
export const EXPANDER_ADDRESS = 0x20;
export const STRIKE_LINE = 3;
/** The firmware uses the first adapter. */
export const PHONE_ADAPTER = 'hci1';
