import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is deleted after the test. */
export const makeTempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-card-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export type SdCardFiles = Readonly<Record<string, string>>;

export const writeFiles = (folder: string, files: SdCardFiles): string => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

const config = `# Enable audio
dtparam=audio=on
camera_auto_detect=1
auto_initramfs=1
dtoverlay=vc4-kms-v3d
arm_64bit=1
arm_boost=1

[cm4]
otg_mode=1

[all]
`;

const kernels: SdCardFiles = { 'kernel8.img': 'kernel', 'kernel_2712.img': 'kernel', initramfs8: 'initramfs' };
const root = 'root=PARTUUID=9710ec8c-02 rootfstype=ext4 fsck.repair=yes rootwait';

/** The boot partition of a 2024 image. */
export const bookworm: SdCardFiles = {
  ...kernels,
  'config.txt': config,
  'cmdline.txt': `console=serial0,115200 console=tty1 ${root} quiet init=/usr/lib/raspberrypi-sys-mods/firstboot\n`,
  'issue.txt': 'Raspberry Pi reference 2024-11-19\n',
};

const imagerScript = `#!/bin/bash

set +e

CURRENT_HOSTNAME=\`cat /etc/hostname | tr -d " \\t\\n\\r"\`
/usr/lib/raspberrypi-sys-mods/imager_custom set_hostname lobby
/usr/lib/userconf-pi/userconf 'anna' '$5$saltsalt$hash'
/usr/lib/raspberrypi-sys-mods/imager_custom enable_ssh
rm -f /boot/firstrun.sh
sed -i 's| systemd.run.*||g' /boot/cmdline.txt
exit 0
`;

/** The same, with a name, a user and SSH from Raspberry Pi Imager. */
export const bookwormFromImager: SdCardFiles = {
  ...bookworm,
  'cmdline.txt': `${bookworm['cmdline.txt']!.trim()} systemd.run=/boot/firstrun.sh systemd.run_success_action=reboot systemd.unit=kernel-command-line.target\n`,
  'firstrun.sh': imagerScript,
};

/** The boot partition of an image since October 2025. */
export const trixie: SdCardFiles = {
  ...kernels,
  'config.txt': config,
  'cmdline.txt': `console=serial0,115200 console=tty1 ${root} resize\n`,
  'meta-data': '# cloud-init\ndsmode: local\ninstance_id: rpios-image\n',
  'network-config': 'network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n      optional: true\n',
  'user-data': '#cloud-config\n\n#hostname: raspberrypi\n#users:\n#- name: pi\n#runcmd:\n#- [ ls, -l, / ]\n',
};

/** The same, with a name, a user, SSH and a boot command from Raspberry Pi Imager. */
export const trixieImagerBootFiles: SdCardFiles = {
  ...trixie,
  'cmdline.txt': `console=serial0,115200 console=tty1 ${root} resize cfg80211.ieee80211_regdom=ES ds=nocloud;i=rpi-imager-1779240414845\n`,
  'user-data': `#cloud-config
hostname: lobby
manage_etc_hosts: true
users:
- name: anna
  groups: users,adm,dialout,sudo
  shell: /bin/bash
  lock_passwd: false
  passwd: $5$saltsalt$hash
enable_ssh: true
ssh_pwauth: true
bootcmd:
- [ sh, -c, "echo hello" ]
timezone: Europe/Madrid
`,
};

export const cardOf = (files: SdCardFiles): string => writeFiles(makeTempFolder(), files);

const member = (name: string, content: Buffer): Buffer[] => [
  Buffer.from(`${name.padEnd(16)}${'0'.padEnd(12)}0     0     100644  ${String(content.length).padEnd(10)}\`\n`),
  content,
];

const tarOf = (files: SdCardFiles): Buffer => {
  const folder = writeFiles(mkdtempSync(join(tmpdir(), 'lintel-tar-')), files);
  try {
    const input = Object.keys(files).join('\n');
    return execFileSync('tar', ['--create', '--directory', folder, '--files-from', '-'], { input });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A complete archive without dependencies. Its control file matches its name by default. */
export const fakeDeb = (folder: string, name: string, packageFile = name): string => {
  const [packageName, version, arch] = packageFile.replace('.deb', '').split('_');
  const control = tarOf({
    control: `Package: ${packageName}\nVersion: ${version}\nArchitecture: ${arch}\n`,
  });
  const file = join(folder, name);
  writeFileSync(
    file,
    Buffer.concat([
      Buffer.from('!<arch>\n'),
      ...member('debian-binary', Buffer.from('2.0\n')),
      ...member('control.tar', control),
      ...member('data.tar', tarOf({})),
    ]),
  );
  return file;
};
