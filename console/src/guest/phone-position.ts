import type { Position } from './guest-api.ts';

const PATIENCE_MS = 20_000;

/** Asked only when a door needs it; the browser asks the guest. Never an old one: who was too far walks on and tries again. */
export const phonePosition = (): Promise<Position | 'denied' | 'unknown'> =>
  new Promise(resolve => {
    // Without a secure connection browsers have no location to give.
    if (!('geolocation' in navigator)) return resolve('unknown');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude, accuracy: coords.accuracy }),
      error => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'unknown'),
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: 0 },
    );
  });
