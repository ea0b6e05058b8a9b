import type { groupsMessages as english } from '../en/groups.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

export const groupsMessages: typeof english = {
  subtitle: 'Quién puede usar qué puertas, cuándo y con qué',
  newGroup: 'Nuevo grupo',
  search: 'Buscar grupos',
  emptyTitle: 'Todavía no hay grupos',
  emptyText: 'Un grupo da a sus miembros acceso a puertas. Cree el primero, por ejemplo Personal.',
  noMatch: 'Ningún grupo coincide',
  noMatchText: 'Cambie la búsqueda.',
  memberCount: members => count(members, 'miembro', 'miembros'),
  andMoreRules: rules => count(rules, 'regla más', 'reglas más'),
  rename: 'Cambiar el nombre',
  deleteTitle: name => `¿Eliminar el grupo ${name}?`,
  deleteText: members =>
    members === 0
      ? 'El grupo no tiene miembros. Nadie pierde acceso.'
      : `${count(members, 'miembro pierde', 'miembros pierden')} de inmediato el acceso que da este grupo. Los miembros permanecen. Un grupo eliminado no se puede restaurar.`,
  deleteInherited: names => `Las reglas que heredan de este grupo dejan de dar acceso: ${names}.`,
  deletedGroups: groups => (groups === 1 ? '1 grupo eliminado' : `${groups} grupos eliminados`),
  rules: 'Reglas',
  noRules: 'Sin reglas. Los miembros de este grupo no pueden abrir ninguna puerta.',
  ruleNumber: number => `Regla ${number}`,
  ruleNumbers: (first, last) => `Reglas ${first} a ${last}`,
  addRule: 'Añadir regla',
  editRule: 'Editar regla',
  saveRule: 'Guardar regla',
  deleteRuleTitle: '¿Eliminar esta regla?',
  dropped: 'Esta regla se refiere a algo eliminado y no da acceso. Edítela o elimínela.',
  access: 'Qué pueden abrir los miembros',
  opensNothing: 'Los miembros no pueden abrir ninguna puerta.',
  preview: 'Vista previa',
  afterSaving: members =>
    members === 1
      ? 'Después de guardar, 1 miembro puede abrir:'
      : `Después de guardar, ${members} miembros pueden abrir:`,
  added: 'Nuevo:',
  removed: 'Ya no:',
  andMore: lines => `y ${lines} más`,
  cannotOpen: (people, doors) =>
    `${people} ${people === 1 ? 'persona ya no puede' : 'personas ya no pueden'} abrir: ${doors}`,
  canOpenLess: (people, doors) =>
    `${people} ${people === 1 ? 'persona puede' : 'personas pueden'} abrir en menos horarios o con menos credenciales: ${doors}`,
  incomplete: 'Elija al menos una puerta y una credencial. La vista previa aparece aquí.',
  deletedObject: 'un objeto eliminado',
  allDoors: 'todas las puertas',
  doorsOf: site => `todas las puertas de ${site}`,
  onlyAction: (doors, action) => `${doors} (solo «${action}»)`,
  mayUse: doors => `Los miembros pueden usar ${doors}`,
  mayInherit: (group, doors) =>
    `Los miembros pueden hacer lo que puede ${group}${doors === null ? '' : ` en ${doors}`}`,
  withAnyMethod: 'con cualquier credencial',
  withNoMethod: 'con ninguna credencial',
  withMethods: methods => `con ${methods}`,
  atAnyTime: 'en cualquier momento',
  whenPresent: 'por la web solo en el sitio',
  gives: 'Los miembros pueden',
  givesDoors: 'Usar puertas',
  givesGroup: group => `Hacer lo que puede ${group}`,
  where: 'Dónde',
  targets: { doors: 'Puertas elegidas', site: 'Todas las puertas de un sitio', all: 'Todas las puertas' },
  site: 'Lugar',
  doors: 'Puertas',
  action: 'Acción',
  allActions: 'Todas las acciones',
  credentials: 'Con',
  anyCredential: 'Cualquier credencial',
  someCredentials: 'Credenciales elegidas',
  when: 'Cuándo',
  anyTime: 'En cualquier momento',
  presence: 'Por la web solo en el sitio',
  presenceHint: 'El teléfono debe estar dentro del radio del sitio. PIN, tarjeta y Bluetooth cuentan como presentes.',
  members: 'Miembros',
  noMembers: 'Todavía no hay miembros.',
  addMember: 'Añadir miembro',
  removeMember: name => `Quitar a ${name} de este grupo`,
  changeValidity: 'Cambiar la validez',
  validityHint:
    'Deje las fechas vacías, salvo que la persona pertenezca a este grupo menos tiempo que a la organización.',
  moreMembers: 'Mostrar más miembros',
};
