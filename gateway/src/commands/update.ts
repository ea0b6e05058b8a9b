import { updateCommand } from '@lintel/device-link/updates/update-command';

export const command = updateCommand('gateway');
