import type { ReplayWindowStore } from '@lintel/device-link/session/downlink/replay-window-store-interface';
import { replayWindowSchema } from '@lintel/wire-protocol/mqtt/replay-window';
import * as z from 'zod';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';

const downlink = z.object({ serial: z.string(), window: replayWindowSchema });
const revocation = z.object({ organization_id: z.string(), window: replayWindowSchema });

export const createDownlinkReplayWindowStore = (state: ControllerStateStore): ReplayWindowStore => ({
  read: () => {
    const { data } = downlink.safeParse(state.read('down_window'));
    return data === undefined ? null : { owner: data.serial, window: data.window };
  },
  write: ({ owner: serial, window }) => state.write('down_window', { serial, window }),
});

export const createRevocationReplayWindowStore = (state: ControllerStateStore): ReplayWindowStore => ({
  read: () => {
    const { data } = revocation.safeParse(state.read('revoke_window'));
    return data === undefined ? null : { owner: data.organization_id, window: data.window };
  },
  write: ({ owner: organization_id, window }) => state.write('revoke_window', { organization_id, window }),
});
