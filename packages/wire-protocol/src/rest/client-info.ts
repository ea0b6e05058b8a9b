import * as z from 'zod';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const said = z.string().nullish();

/** `location` and `location_accuracy` (metres) are what the client itself said of where it is: `41.4,2.2` and `12.5`. */
export const clientInfo = tolerantObject({
  device_type: said,
  user_agent: said,
  os: said,
  os_version: said,
  device_manufacturer: said,
  device_model: said,
  app_package_name: said,
  app_name: said,
  app_version: said,
  app_version_code: said,
  browser: said,
  browser_version: said,
  sdk_version: said,
  sdk_commit: said,
  location: said,
  location_accuracy: said,
});
export type ClientInfo = z.infer<typeof clientInfo>;
