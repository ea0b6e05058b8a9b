import { describe, expect, it } from 'vitest';
import { isRemoteRoute } from './remote-routes.ts';

describe('remote technician routes', () => {
  it.each([
    ['GET', '/status'],
    ['PUT', '/input_rules'],
    ['POST', '/input_rules/check'],
    ['POST', '/gadgets/gad_1/actions/open'],
    ['POST', '/outputs/buzzer/pulse'],
    ['GET', '/support_bundle/'],
  ])('allow %s %s', (method, path) => {
    expect(isRemoteRoute(method, path)).toBe(true);
  });

  it.each([
    ['POST', '/login'],
    ['POST', '/logout'],
    ['GET', '/claim'],
    ['POST', '/claim'],
    ['PUT', '/profile'],
    ['POST', '/readers/front/next_card'],
    ['POST', '/input_rules/try'],
    ['POST', '/commissioning'],
    ['DELETE', '/commissioning'],
    ['GET', '/live'],
    ['POST', '/status'],
    ['GET', '/status/../claim'],
    ['POST', '/outputs/a/b/pulse'],
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/something_newer'],
  ])('reject %s %s', (method, path) => {
    expect(isRemoteRoute(method, path)).toBe(false);
  });
});
