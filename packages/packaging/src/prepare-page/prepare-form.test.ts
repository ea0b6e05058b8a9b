import { describe, expect, it } from 'vitest';
import { replaceOptionsWithFieldNames, prepareFormSchema, toPrepareArguments } from './prepare-form.ts';

describe('toPrepareArguments', () => {
  it('has an option for each filled field, and keeps values from being options', () => {
    const form = prepareFormSchema.parse({
      boot_folder: ' --fresh ',
      wifi: '-lobby-',
      profile: '',
      wifi_password: 'secret',
    });
    expect(toPrepareArguments(form)).toEqual(['--wifi=-lobby-', '--', '--fresh']);
  });
});

describe('replaceOptionsWithFieldNames', () => {
  it('names the fields of the page', () => {
    expect(replaceOptionsWithFieldNames('--wifi-country must be two letters, --packages may help')).toBe(
      'Country must be two letters, --packages may help',
    );
  });
});
