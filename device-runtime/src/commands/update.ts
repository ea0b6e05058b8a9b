import { updateCommand } from '@lintel/updates/update-command';

export const command = updateCommand('controller');
