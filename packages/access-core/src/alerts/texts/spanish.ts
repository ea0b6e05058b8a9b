import type { AlertTexts } from '../describe-alert.ts';

export const spanishAlertTexts: AlertTexts = {
  kinds: {
    door_forced: name => `${name} se ha forzado`,
    door_held_open: name => `${name} lleva demasiado tiempo abierta`,
    device_offline: name => `${name} no tiene conexión`,
    many_denials: (name, { count, minutes }) =>
      count === null
        ? `${name} ha denegado el acceso muchas veces`
        : `${name} ha denegado el acceso ${count} ${count === 1 ? 'vez' : 'veces'} en ${minutes} min`,
    device_fault: name => `${name} comunica una avería`,
    low_battery: (name, { percent }) => `La batería de ${name} está baja${percent === null ? '' : ` (${percent} %)`}`,
    device_claimed: (name, { site, user, waits }) =>
      `Controlador nuevo ${name}${site == null ? '' : ` en ${site}`}${user == null ? '' : `, registrado por ${user}`}${waits === true ? '. Espera su confirmación' : ''}`,
    all_doors_access: (name, { site }) =>
      `${name} tiene ahora acceso a todas las puertas${site == null ? '' : ` de ${site}`}`,
  },
  faults: {
    bluetooth: name => `Los teléfonos por Bluetooth no funcionan en ${name}`,
    bridge_silent: name => `El bridge no responde a ${name}`,
    claimed_again: name =>
      `${name} se ha registrado de nuevo. Los eventos del propietario anterior están archivados en él`,
    clock: name => `El reloj de ${name} no coincide con la hora guardada`,
    clock_damaged: name => `La hora guardada de ${name} estaba dañada`,
    clock_refused: name => `El reloj de ${name} no es correcto`,
    clock_unsaved: name => `${name} no puede guardar la hora`,
    digest_key: name => `${name} no puede comprobar PIN ni tarjetas porque falta una clave`,
    digest_key_changed: name => `${name} no puede comprobar PIN ni tarjetas porque se ha cambiado una clave`,
    disk_almost_full: name => `El disco de ${name} está casi lleno`,
    event_buffer_full: name => `${name} no tiene espacio para más eventos y borra los más antiguos`,
    event_file_damaged: name => `El archivo de eventos de ${name} estaba dañado`,
    event_store: name => `${name} no puede guardar eventos`,
    gadget: name => `Una puerta de ${name} no tiene salida en el perfil de hardware`,
    home_assistant: name => `${name} no llega a Home Assistant`,
    identity: name => `${name} se tiene que registrar de nuevo`,
    inputs: name => `Una placa de entradas de ${name} no responde`,
    internal: name => `El software de ${name} comunica un error interno`,
    kept_behind: name => `${name} no recibe datos nuevos. Compruebe el gateway`,
    replaced: name => `${name} se sustituyó por otro controlador`,
    keypad: name => `Un teclado de ${name} no responde`,
    membership: name => `${name} se tiene que registrar de nuevo`,
    output: name => `Una salida de ${name} ha rechazado una orden`,
    outputs: name => `Una placa de salidas de ${name} no responde`,
    profile: name => `El perfil de hardware de ${name} no se puede usar`,
    reader: name => `Un lector de ${name} no responde`,
    revocations_damaged: name => `Una copia de las revocaciones de ${name} estaba dañada y se ha restaurado`,
    revocations_not_received: name => `${name} no responde al bridge restaurado. Compruebe el gateway`,
    site_damaged: name => `Los datos de la sede de ${name} estaban dañados`,
    site_unsaved: name => `${name} no puede guardar los datos de la sede`,
    slice_damaged: name => `Los datos de acceso de ${name} están dañados. Es posible que los miembros no tengan acceso`,
    slice_old: name => `Los datos de acceso de ${name} tienen más de una semana`,
    slice_refused: name => `Los datos de acceso de ${name} son demasiado antiguos. El acceso está denegado`,
    start: name => `Un servicio de ${name} no puede arrancar`,
    state: name => `${name} no puede guardar su estado`,
    state_unreadable: name => `${name} no puede leer su estado`,
    state_damaged: name => `Un archivo de estado de ${name} estaba dañado`,
    status_address: name => `${name} no puede guardar la dirección de su estado`,
    store: name => `${name} no puede guardar mensajes`,
    store_damaged: name => `El almacén de mensajes de ${name} estaba dañado`,
    tamper: name => `La carcasa de ${name} está abierta`,
    technician: name => `La página de técnico de ${name} no está disponible`,
  },
};
