import { scheduleAnswer, scheduleCreate, scheduleEdit } from '@lintel/wire-protocol/rest/schedule';
import type { Endpoint } from '../http/endpoint.ts';
import { createSchedule, deleteSchedule, editSchedule } from '../resources/schedules.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const scheduleEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'schedule',
    tag: 'Schedules',
    path: '/schedules',
    one: 'a schedule',
    many: 'schedules',
    answer: scheduleAnswer,
  });
  return [
    list(),
    get(),
    create({ body: scheduleCreate, write: (context, { body }) => createSchedule(context, body) }),
    edit({ body: scheduleEdit, write: (context, { id, body }) => editSchedule(context, id, body) }),
    remove({ write: (context, { id }) => deleteSchedule(context, id) }),
  ];
};
