import { createUpdateCommand } from '@lintel/updates/update-command';

export const command = createUpdateCommand('gateway');
