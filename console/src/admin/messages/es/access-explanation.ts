import type { accessExplanationMessages as english } from '../en/access-explanation.ts';

export const accessExplanationMessages: typeof english = {
  title: member => `Acceso de ${member}`,
  door: 'Puerta',
  chooseDoor: 'Elija una puerta',
  action: 'Acción',
  method: 'Credencial',
  time: 'Hora',
  timeHint: zone => `Hora del lugar (${zone}). Vacío significa ahora.`,
  check: 'Comprobar',
  note: 'Solo es una comprobación. No se abre ninguna puerta.',
  granted: (member, door) => `${member} puede abrir ${door}`,
  denied: (member, door, reason) => `${member} no puede abrir ${door}: ${reason}`,
  giveAccess: member => `Cambiar los grupos de ${member}`,
  steps: 'Paso a paso',
  incomplete: 'Hay más reglas de las que muestra esta lista.',
  member: {
    inside: 'El miembro es válido en ese momento.',
    not_started: 'El miembro todavía no es válido.',
    ended: 'La validez del miembro ha terminado.',
    deleted: 'El miembro está eliminado.',
  },
  association: {
    inside: group => `En el grupo ${group}.`,
    not_started: group => `En el grupo ${group}, pero la pertenencia aún no ha empezado.`,
    ended: group => `En el grupo ${group}, pero la pertenencia ha terminado.`,
    group_gone: group => `El grupo ${group} está eliminado.`,
  },
  rulePassed: (group, rule) => `La regla ${rule} de ${group} lo permite.`,
  ruleFailed: {
    target: (group, rule) => `La regla ${rule} de ${group} es para otra puerta.`,
    method: (group, rule) => `La regla ${rule} de ${group} no permite esta credencial.`,
    schedule: (group, rule) => `La regla ${rule} de ${group} está fuera de su horario.`,
    presence: (group, rule) => `La regla ${rule} de ${group} exige presencia en el lugar.`,
  },
  ruleDropped: (group, rule) => `La regla ${rule} de ${group} se refiere a algo eliminado y se ignora.`,
};
