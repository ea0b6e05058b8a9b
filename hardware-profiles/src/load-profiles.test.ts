import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkProfileFile, loadProfiles } from './load-profiles.ts';
import { findJsonKeyProblems } from './json-key-problems.ts';
import { findProductWarnings } from './product-warnings.ts';
import { checkProfile } from './check-profile.ts';
import { readShippedProfile, setValueAtPath } from './profile-json.test-support.ts';
import { buildWiringGroups } from './wiring-groups.ts';

const virtual = loadProfiles().find(({ product_id }) => product_id === 'virtual')!;

const pathsOf = (value: unknown): string[] => {
  const checked = checkProfile(value);
  return checked.ok ? [] : checked.problems.map(({ path }) => path);
};

const withCapabilities = (changes: object) => ({ ...virtual, capabilities: { ...virtual.capabilities, ...changes } });

describe('hardware profiles', () => {
  describe('shipped', () => {
    it('are all valid and named after their products', () => {
      expect(loadProfiles().map(({ product_id }) => product_id)).toEqual([
        'gateway',
        'laptop-simulator',
        'rpi-gpio-acr122u',
        'rpi-modbus-8',
        'rpi-modbus-tcp',
        'rpi-network-relays',
        'rpi-osdp',
        'rpi-pn532-matrix',
        'rpi-relay-hat',
        'usb-hid-relay',
        'usb-only',
        'usb-qr',
        'usb-rfid',
        'virtual',
      ]);
    });

    it('include the virtual device that every organization has', () => {
      expect(virtual.capabilities).toMatchObject({
        gadgets: 'multiple',
        gadget_max_count: 64,
        pin: true,
        nfc: true,
        input_rules: true,
      });
    });
  });

  describe('invalid', () => {
    it('are rejected with the path of the problem', () => {
      expect(pathsOf(withCapabilities({ gadgets: 'some' }))).toEqual(['capabilities.gadgets']);
      expect(pathsOf(withCapabilities({ wify: true }))).toEqual(['capabilities.wify']);
      expect(pathsOf({ ...virtual, product_id: 'Virtual' })).toEqual(['product_id']);
      expect(pathsOf({ ...virtual, name: undefined })).toEqual(['name']);
      expect(pathsOf([])).toEqual(['']);
    });

    it.each([
      [{ gadgets: 'none' }, 'gadget_max_count'],
      [{ gadgets: 'single' }, 'gadget_max_count'],
      [{ gadget_max_count: 1 }, 'gadget_max_count'],
      [{ ethernet: false, wifi: false, cellular: false }, 'internet'],
      [{ pin: false, nfc: false }, 'input_rules'],
      [{ mains: false }, 'mains'],
      [{ battery_rechargeable: true }, 'battery_rechargeable'],
    ])('are rejected when they contradict themselves: %o', (changes, field) => {
      expect(pathsOf(withCapabilities(changes))).toEqual([`capabilities.${field}`]);
    });
  });

  describe('as text', () => {
    const text = JSON.stringify(virtual);

    it.each([
      ['a duplicate key', text.replace('"pin":', '"pin":false,"pin":'), 'capabilities.pin is a duplicate key'],
      ['a duplicate key with an escape sequence', '{"a":1,"\\u0061":2}', 'a is a duplicate key'],
      ['a duplicate key in a list', '{"gadgets":[{},{"x":"{\\"x\\":,","x":2}]}', 'gadgets.1.x is a duplicate key'],
      ['__proto__', '{"buses":{"__proto__":{"driver":"pcsc"}}}', 'buses.__proto__ is not allowed as a key'],
    ])('may not have %s', (_, text, problem) => {
      expect(findJsonKeyProblems(text).map(({ path, message }) => `${path} ${message}`)).toEqual([problem]);
    });

    it('may repeat a key in different objects, or as a value', () => {
      expect(findJsonKeyProblems('{"a":{"a":["a","a"]},"b":[{"a":"a"},{"a":"b"}]}')).toEqual([]);
      expect(findJsonKeyProblems(text)).toEqual([]);
    });
  });

  describe('in a folder', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'lintel-profiles-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('report problems with file and path', () => {
      writeFileSync(join(folder, 'door.json'), JSON.stringify(withCapabilities({ pin: 'yes' })));
      expect(() => loadProfiles(folder)).toThrow(/door\.json: capabilities\.pin /);
    });

    it('report a duplicate key', () => {
      const text = JSON.stringify(virtual).replace('"pin":', '"pin":false,"pin":');
      writeFileSync(join(folder, 'virtual.json'), text);
      expect(() => loadProfiles(folder)).toThrow(/virtual\.json: capabilities\.pin is a duplicate key/);
    });

    it('may begin with a byte order mark', () => {
      writeFileSync(join(folder, 'virtual.json'), `\uFEFF${JSON.stringify(virtual)}`);
      expect(loadProfiles(folder)).toHaveLength(1);
    });

    it('are rejected when not named after their product, or when not JSON', () => {
      writeFileSync(join(folder, 'door.json'), JSON.stringify(virtual));
      expect(() => loadProfiles(folder)).toThrow(/door\.json: product_id must match the file name/);
      writeFileSync(join(folder, 'door.json'), '{');
      expect(() => loadProfiles(folder)).toThrow(/door\.json: /);
    });

    it('must be regular files of a reasonable size', () => {
      const problemOf = (file: string): string => {
        const checked = checkProfileFile(file);
        return checked.ok ? '' : checked.problems.map(({ message }) => message).join();
      };
      const pipe = join(folder, 'pipe');
      execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
      expect([pipe, '/dev/zero', folder].map(problemOf)).toEqual(
        Array.from({ length: 3 }, () => 'is not a regular file'),
      );
      const large = join(folder, 'large.json');
      writeFileSync(large, `${' '.repeat(1024 * 1024)}${JSON.stringify(virtual)}`);
      expect(problemOf(large)).toBe('is larger than 1048576 bytes');
    });
  });

  describe('produce a warning', () => {
    const warned = (file: string, changes: object): string[] =>
      findProductWarnings(file, { ...virtual, ...changes }, loadProfiles()).map(({ path }) => path);

    it('when the file is not named after its product', () => {
      expect(warned('/etc/virtual.json', {})).toEqual([]);
      expect(warned('/etc/door.json', {})).toEqual(['product_id']);
    });

    it('when they use the id of a shipped product with other capabilities', () => {
      const { capabilities } = withCapabilities({ nfc: false });
      expect(warned('virtual.json', { capabilities })).toEqual(['capabilities.nfc']);
      expect(warned('door.json', { capabilities, product_id: 'door' })).toEqual([]);
    });
  });
});

const osdpRows = (changes: Readonly<Record<string, unknown>>): string[] => {
  const tree = readShippedProfile('rpi-osdp');
  for (const [path, value] of Object.entries(changes)) setValueAtPath(tree, path, value);
  const checked = checkProfile(tree);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const readers = buildWiringGroups(checked.profile).find(({ title }) => title === 'Readers')!;
  return readers.rows.map(({ from }) => from).filter(from => from.startsWith('address'));
};

describe('buildWiringGroups', () => {
  it('names the reader inside an OSDP peripheral only where it has several', () => {
    expect(osdpRows({})).toEqual(['address 0', 'address 1']);
    const second = {
      'buses.rs485.readers.staff_reader.address': 0,
      'buses.rs485.readers.staff_reader.reader_number': 1,
    };
    expect(osdpRows(second)).toEqual(['address 0, reader 0', 'address 0, reader 1']);
  });
});
