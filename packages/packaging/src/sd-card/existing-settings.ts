/** What is already set on the card, with Raspberry Pi Imager or by hand, and is kept. */
export interface ExistingSdCardSettings {
  readonly hostname: boolean;
  readonly user: boolean;
  readonly ssh: boolean;
}

/** Texts of files on the card, null for missing files. */
export interface FirstBootFiles {
  readonly userData: string | null;
  readonly firstRun: string | null;
  readonly customToml: string | null;
  readonly hasUserConf: boolean;
  readonly hasSshFile: boolean;
}

const withoutComments = (text: string | null): string => (text ?? '').replaceAll(/^\s*#.*$/gm, '');

const tomlSection = (toml: string, name: string): string =>
  new RegExp(`^\\[${name}\\]([^[]*)`, 'm').exec(toml)?.[1] ?? '';

export const detectExistingSdCardSettings = (files: FirstBootFiles): ExistingSdCardSettings => {
  const cloud = withoutComments(files.userData);
  const script = withoutComments(files.firstRun);
  const toml = withoutComments(files.customToml);
  return {
    hostname:
      /^(?:hostname|fqdn)\s*:/m.test(cloud) ||
      /set_hostname|\/etc\/hostname/.test(script) ||
      /^hostname\s*=/m.test(tomlSection(toml, 'system')),
    user:
      /^(?:users?|chpasswd|password|rpi_userconf)\s*:/m.test(cloud) ||
      /userconf|chpasswd|useradd|adduser/.test(script) ||
      /^name\s*=/m.test(tomlSection(toml, 'user')) ||
      files.hasUserConf,
    ssh:
      /^\s*(?:enable_ssh|ssh_pwauth)\s*:\s*(?:true|yes|on)\b|^\s*(?:-\s+)?ssh_(?:authorized_keys|import_id)\s*:/m.test(
        cloud,
      ) ||
      /enable_ssh|systemctl enable ssh|authorized_keys/.test(script) ||
      /^enabled\s*=\s*true/m.test(tomlSection(toml, 'ssh')) ||
      files.hasSshFile,
  };
};
