/** The `client_info` of an event, as far as the User-Agent header reveals it. Unknown fields are null. */
export type UserAgentInfo = Readonly<Record<(typeof fields)[number], string | null>>;

const fields = [
  'device_type',
  'user_agent',
  'os',
  'os_version',
  'device_manufacturer',
  'device_model',
  'app_package_name',
  'app_name',
  'app_version',
  'app_version_code',
  'browser',
  'browser_version',
  'sdk_version',
  'sdk_commit',
] as const;

const unknownClient = Object.fromEntries(fields.map(field => [field, null])) as UserAgentInfo;

/** First match wins: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const browsers: ReadonlyArray<readonly [string, RegExp]> = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/([\d.]+)/],
  ['Opera', /\bOPR\/([\d.]+)/],
  ['Samsung Internet', /\bSamsungBrowser\/([\d.]+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /\bVersion\/([\d.]+).*\bSafari\//],
];

const systems: ReadonlyArray<readonly [string, RegExp]> = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b.*?\bOS ([\d_]+)/],
  ['Android', /\bAndroid ([\d.]+)/],
  ['Windows', /\bWindows NT ([\d.]+)/],
  ['macOS', /\bMac OS X ([\d_.]+)/],
  ['Linux', /\bLinux\b()/],
];

const firstMatch = (table: ReadonlyArray<readonly [string, RegExp]>, text: string): [string | null, string | null] => {
  for (const [name, pattern] of table) {
    const found = pattern.exec(text);
    if (found !== null) return [name, found[1]?.replaceAll('_', '.') || null];
  }
  return [null, null];
};

const MAX_LENGTH = 512;

export const parseUserAgent = (userAgent: string | undefined): UserAgentInfo => {
  if (userAgent === undefined || userAgent === '') return unknownClient;
  const text = userAgent.slice(0, MAX_LENGTH);
  const [os, os_version] = firstMatch(systems, text);
  const [browser, browser_version] = firstMatch(browsers, text);
  const device_type = os === 'iOS' || os === 'Android' ? 'mobile' : browser === null ? null : 'desktop';
  return { ...unknownClient, user_agent: text, device_type, os, os_version, browser, browser_version };
};
