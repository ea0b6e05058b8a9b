import { ResourceWriter } from '../transactions/resource-writer.ts';

export const deviceWriter = new ResourceWriter('device', 'devices', { references: ['site_id', 'hardware_id'] });
