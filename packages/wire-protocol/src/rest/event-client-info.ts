import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const optionalText = z.string().nullish();

export const eventClientInfoSchema = tolerantObjectSchema({
  device_type: optionalText,
  user_agent: optionalText,
  os: optionalText,
  os_version: optionalText,
  device_manufacturer: optionalText,
  device_model: optionalText,
  app_package_name: optionalText,
  app_name: optionalText,
  app_version: optionalText,
  app_version_code: optionalText,
  browser: optionalText,
  browser_version: optionalText,
  sdk_version: optionalText,
  sdk_commit: optionalText,
}).meta({ title: 'client_info' });
