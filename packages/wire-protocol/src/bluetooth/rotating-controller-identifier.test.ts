import { toHex } from '@lintel/access-core/to-hex';
import { describe, expect, it } from 'vitest';
import { vectorBluetoothKey, bluetoothVectors } from './bluetooth-vectors.test-support.ts';
import {
  deriveRotatingControllerIdentifier,
  computeRotatingIdentifierPeriod,
  isRotatingIdentifierOfController,
} from './rotating-controller-identifier.ts';

const derive = (period: number, device = bluetoothVectors.device_id) =>
  deriveRotatingControllerIdentifier(vectorBluetoothKey, device, period);

describe('door identifier', () => {
  it('is the golden one', async () => {
    expect(toHex(await derive(bluetoothVectors.identifier_period))).toBe(bluetoothVectors['identifier']);
  });

  it('is recognized with the key, without a clock', async () => {
    for (const period of [0, 1, 1_983_000, 1_983_001])
      expect(
        await isRotatingIdentifierOfController(await derive(period), vectorBluetoothKey, bluetoothVectors.device_id),
      ).toBe(true);
  });

  it('is not recognized with another key, for another controller, or if changed', async () => {
    const identifier = await derive(7);
    expect(await isRotatingIdentifierOfController(identifier, new Uint8Array(32), bluetoothVectors.device_id)).toBe(
      false,
    );
    expect(await isRotatingIdentifierOfController(identifier, vectorBluetoothKey, 'dev_03')).toBe(false);
    expect(
      await isRotatingIdentifierOfController(
        identifier.with(0, identifier[0]! ^ 1),
        vectorBluetoothKey,
        bluetoothVectors.device_id,
      ),
    ).toBe(false);
    expect(
      await isRotatingIdentifierOfController(identifier.slice(1), vectorBluetoothKey, bluetoothVectors.device_id),
    ).toBe(false);
  });

  it('changes with the period and the controller in both halves', async () => {
    const [first, next, other] = [await derive(7), await derive(8), await derive(7, 'dev_03')].map(toHex);
    for (const half of [(text: string) => text.slice(0, 6), (text: string) => text.slice(6)])
      expect(new Set([first!, next!, other!].map(half)).size).toBe(3);
  });

  it('lasts 15 minutes', () => {
    expect(computeRotatingIdentifierPeriod(899_999)).toBe(0);
    expect(computeRotatingIdentifierPeriod(900_000)).toBe(1);
  });
});
