import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { parseBrokerUrlOption } from '@lintel/service/command-line/command-arguments';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { getUrlHost, isLoopbackAddress } from '@lintel/device-link/tls/loopback-address';
import type { Log } from '@lintel/service/log-function-type';
import type { HomeAssistantOptions } from '../home-assistant/home-assistant-publisher.ts';

export const homeAssistantOptionsHelp = `  --home-assistant URL publish doors and events to the MQTT broker of Home Assistant: mqtt://USER@HOST or mqtts://…
                       The password is in --home-assistant-password-file or LINTEL_HOME_ASSISTANT_PASSWORD
  --home-assistant-password-file FILE
                       file with the password of that user
  --home-assistant-ca FILE
                       PEM certificate of the authority of that broker (default: public authorities)
  --home-assistant-prefix TEXT
                       discovery prefix of Home Assistant (default homeassistant)`;

export const homeAssistantOptionDefinitions = {
  'home-assistant': { type: 'string' },
  'home-assistant-password-file': { type: 'string' },
  'home-assistant-ca': { type: 'string' },
  'home-assistant-prefix': { type: 'string' },
} as const;

type Values = { readonly [K in keyof typeof homeAssistantOptionDefinitions]: string | undefined };

const PASSWORD_VARIABLE = 'LINTEL_HOME_ASSISTANT_PASSWORD';

const readFile = (file: string, option: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`--${option}: ${describeSystemError(error, file)}`, { cause: error });
  }
};

const readAuthority = (file: string): string => {
  const text = readFile(file, 'home-assistant-ca');
  try {
    return new X509Certificate(text).toString();
  } catch {
    throw new Error(`--home-assistant-ca ${file}: not a PEM certificate`);
  }
};

const readPassword = (file: string | undefined): string | null => {
  if (file !== undefined) return readFile(file, 'home-assistant-password-file');
  const password = process.env[PASSWORD_VARIABLE];
  return password === undefined || password === '' ? null : password;
};

/** A password in the URL would be visible in the list of processes. The error does not repeat it. */
const parseUrl = (text: string): string => {
  const url = parseBrokerUrlOption(text, 'home-assistant')!;
  if (new URL(url).password !== '')
    throw new UsageError(
      `--home-assistant must not contain a password. Use --home-assistant-password-file or ${PASSWORD_VARIABLE}`,
    );
  return url;
};

/** Undefined without `--home-assistant`. */
export const parseHomeAssistantOptions = (values: Values, log: Log): HomeAssistantOptions | undefined => {
  const { 'home-assistant': text, 'home-assistant-ca': ca, 'home-assistant-prefix': prefix } = values;
  if (text === undefined) {
    const unused = Object.keys(homeAssistantOptionDefinitions).find(name => values[name as keyof Values] !== undefined);
    if (unused !== undefined) throw new UsageError(`--${unused} requires --home-assistant`);
    return undefined;
  }
  const url = parseUrl(text);
  const discoveryPrefix = prefix ?? 'homeassistant';
  if (!/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(discoveryPrefix))
    throw new UsageError('--home-assistant-prefix must be a topic such as homeassistant');
  const password = readPassword(values['home-assistant-password-file']);
  const address = new URL(url);
  if (password !== null && address.protocol === 'mqtt:' && !isLoopbackAddress(getUrlHost(address)))
    log('warn', 'The password for the broker of Home Assistant is sent without encryption. Use mqtts', {
      host: address.host,
    });
  return { url, password, authorities: ca === undefined ? [] : [readAuthority(ca)], discoveryPrefix };
};
