import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const optionalText = z.string().nullish();

export const eventClientInfoSchema = tolerantObjectSchema({
  device_type: optionalText.describe('Type of the device of the person, such as phone'),
  user_agent: optionalText.describe('User-Agent header of the request'),
  os: optionalText.describe('Operating system'),
  os_version: optionalText.describe('Version of the operating system'),
  device_manufacturer: optionalText.describe('Manufacturer of the device'),
  device_model: optionalText.describe('Model of the device'),
  app_package_name: optionalText.describe('Package name of the app'),
  app_name: optionalText.describe('Name of the app'),
  app_version: optionalText.describe('Version of the app'),
  app_version_code: optionalText.describe('Version code of the app'),
  browser: optionalText.describe('Name of the browser'),
  browser_version: optionalText.describe('Version of the browser'),
  sdk_version: optionalText.describe('Version of the SDK in the app'),
  sdk_commit: optionalText.describe('Commit of the SDK in the app'),
}).meta({
  title: 'client_info',
  description: 'App or browser with which the subject acted. A field is null or absent if not known',
});
