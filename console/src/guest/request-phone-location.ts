import type { GuestPhoneLocation } from './guest-api.ts';

const TIMEOUT_MS = 20_000;

/** Uses no cached position, so that a guest who was too far away can go closer and try again. */
export const requestPhoneLocation = (): Promise<GuestPhoneLocation | 'denied' | 'unknown'> =>
  new Promise(resolve => {
    // Browsers provide no location on an insecure connection.
    if (!('geolocation' in navigator)) return resolve('unknown');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude, accuracy: coords.accuracy }),
      error => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'unknown'),
      { enableHighAccuracy: true, timeout: TIMEOUT_MS, maximumAge: 0 },
    );
  });
