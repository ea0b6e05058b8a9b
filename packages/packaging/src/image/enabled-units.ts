/** A link of `/etc/systemd/system` and what it points at. */
export interface UnitLink {
  readonly path: string;
  readonly target: string;
}

const SHIPPED = '/usr/lib/systemd/system';

const wanted = (target: string, unit: string, name = unit): UnitLink => ({
  path: `${target}.wants/${name}`,
  target: `${SHIPPED}/${unit}`,
});

const masked = (unit: string): UnitLink => ({ path: unit, target: '/dev/null' });

/** Written out, because the scripts that would enable them belong to another processor. */
export const enabledUnits = (options: {
  readonly hasSsh: boolean;
  readonly extra: readonly string[];
}): readonly UnitLink[] => [
  { path: 'default.target', target: `${SHIPPED}/multi-user.target` },
  wanted('local-fs.target', 'lintel-persist.service'),
  wanted('local-fs.target', 'var-lib-lintel.mount'),
  wanted('local-fs.target', 'var-lib-lintel\\x2dreleases.mount'),
  wanted('local-fs.target', 'etc-NetworkManager-system\\x2dconnections.mount'),
  wanted('sysinit.target', 'systemd-timesyncd.service'),
  wanted('sockets.target', 'pcscd.socket'),
  wanted('getty.target', 'getty@.service', 'getty@tty1.service'),
  wanted('multi-user.target', 'NetworkManager.service'),
  { path: 'dbus-org.freedesktop.nm-dispatcher.service', target: `${SHIPPED}/NetworkManager-dispatcher.service` },
  { path: 'dbus-fi.w1.wpa_supplicant1.service', target: `${SHIPPED}/wpa_supplicant.service` },
  { path: 'dbus-org.freedesktop.timesync1.service', target: `${SHIPPED}/systemd-timesyncd.service` },
  ...options.extra.map(unit => wanted('multi-user.target', unit)),
  ...(options.hasSsh
    ? [wanted('multi-user.target', 'ssh.service'), wanted('multi-user.target', 'lintel-ssh-keys.service')]
    : []),
  // The root is made whole at build time: nothing is caught up with at a start.
  masked('systemd-firstboot.service'),
  masked('systemd-hwdb-update.service'),
  masked('systemd-journal-catalog-update.service'),
  masked('systemd-machine-id-commit.service'),
  masked('ldconfig.service'),
  masked('systemd-sysusers.service'),
  masked('systemd-update-done.service'),
];
