/* Schemas of profile fields that are no buses. */

export { bluetoothRadioSchema, rssiThresholdSchema } from './bluetooth/settings.ts';
export {
  createMillisecondsSchema,
  createRecordByPartNameSchema,
  displayNameSchema,
  gadgetPartIdSchema,
  partNameSchema,
} from './definition/fields.ts';
export { batteryGaugeSchema, useGauge } from './power/settings.ts';
