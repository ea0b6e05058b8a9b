import { describe, expect, it } from 'vitest';
import { addFirstBootCallToCloudInit } from './cloud-init-hook.ts';
import { addFirstBootCallToFirstrun as inScript } from './firstrun-hook.ts';

const item = '- [sh, -c, "if [ -f /boot/firmware/lintel/start.sh ]; then sh /boot/firmware/lintel/start.sh now; fi"]';

describe('cloud-init hook', () => {
  it('adds a bootcmd list to a user-data without one', () => {
    expect(addFirstBootCallToCloudInit('#cloud-config\nhostname: lobby')).toBe(
      `#cloud-config\nhostname: lobby\n# lintel first boot: begin\nbootcmd:\n  ${item}\n# lintel first boot: end\n`,
    );
  });

  it('fills an empty user-data', () => {
    expect(addFirstBootCallToCloudInit('')).toMatch(/^#cloud-config\n# lintel first boot: begin\nbootcmd:\n/);
  });

  it('runs before existing commands and keeps their indentation', () => {
    expect(addFirstBootCallToCloudInit('#cloud-config\nbootcmd: # mine\n\n    - ls\n    - [id]\nhostname: x\n')).toBe(
      `#cloud-config\nbootcmd: # mine\n    # lintel first boot: begin\n    ${item}\n    # lintel first boot: end\n\n    - ls\n    - [id]\nhostname: x\n`,
    );
    expect(addFirstBootCallToCloudInit('#cloud-config\nbootcmd:\n- ls\n')).toContain(
      `bootcmd:\n# lintel first boot: begin\n${item}\n`,
    );
  });

  it('is added once, also with Windows line ends', () => {
    for (const text of [
      '',
      '#cloud-config\nbootcmd:\n- ls\n',
      '#cloud-config\r\nhostname: x\r\nbootcmd:\r\n  - ls\r\n',
    ]) {
      const once = addFirstBootCallToCloudInit(text);
      expect(addFirstBootCallToCloudInit(once)).toBe(once);
      expect(once.includes('\r\n')).toBe(text.includes('\r\n'));
      if (text.includes('\r\n')) expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    }
  });

  it('rejects a file that is not a cloud-config', () => {
    for (const text of ['#!/bin/sh\n', '#include\nhttps://x\n', 'Content-Type: multipart/mixed\n', 'hostname: x\n'])
      expect(() => addFirstBootCallToCloudInit(text)).toThrow(/user-data starts with/);
    expect(() => addFirstBootCallToCloudInit('#cloud-config\nbootcmd: ["ls"]\n')).toThrow(/user-data:2: bootcmd/);
  });

  it('runs first in a Raspberry Pi Imager script, once, and keeps its interpreter', () => {
    const once = inScript('#!/bin/bash\r\nset +e\r\necho hello\r\n');
    expect(once.split('\n')[0]).toBe('#!/bin/bash');
    expect(once).not.toContain('\r');
    expect(once.indexOf('start.sh')).toBeLessThan(once.indexOf('set +e'));
    expect(inScript(once)).toBe(once);
  });
});
