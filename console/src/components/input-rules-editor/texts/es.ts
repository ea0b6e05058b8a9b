import type { InputRulesEditorTexts } from './input-rules-texts-provider.ts';

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const rulesOf = (count: number): string => countOf(count, 'regla', 'reglas');

const verbs: Readonly<Record<string, string>> = {
  open: 'abre',
  close: 'cierra',
  lock: 'bloquea',
  unlock: 'desbloquea',
  stop: 'detiene',
  toggle: 'conmuta',
  on: 'enciende',
  off: 'apaga',
};

export const spanishInputRulesTexts: InputRulesEditorTexts = {
  rules: {
    inputRulesHeading: 'Reglas de entrada',
    inputRulesIntroText: 'Un código elige la puerta; después se introduce un PIN o se presenta una tarjeta.',
    inputRuleSentenceText: (keys, action) =>
      keys === '' ? `Un PIN o una tarjeta ${action}` : `El código ${keys} seguido de un PIN o una tarjeta ${action}`,
    inputRuleActionText: (actionId, actionName, gadget) =>
      verbs[actionId] === undefined ? `ejecuta «${actionName}» en ${gadget}` : `${verbs[actionId]} ${gadget}`,
    noGadgetChosenText: 'todavía no tiene puerta',
    unknownGadgetNameText: 'una puerta desconocida',
    noInputRulesText: 'Sin reglas',
    noInputRulesHint: gadget => `Un PIN o una tarjeta ejecuta la primera acción de ${gadget ?? 'la primera puerta'}.`,
    defaultInputRuleBadge: 'predeterminada',
    otherControllerBadge: 'otro controlador',
    inputRulesNotAppliedText: 'Sin guardar',
    inputRulesNotSyncedText: 'Activas aquí, todavía no en la nube',
    inputRulesNotSyncedHint: 'Las reglas se sincronizan cuando el controlador tiene conexión.',
    searchInputRulesLabel: 'Buscar una regla',
    inputRuleCountText: rulesOf,
    addInputRuleButton: 'Añadir una regla',
    deleteInputRuleButton: 'Eliminar',
    finishEditingButton: 'Listo',
    undoButton: 'Deshacer',
    redoButton: 'Rehacer',
    discardChangesButton: 'Descartar los cambios',
    importFileButton: 'Importar',
    exportFileButton: 'Exportar',
    inputRuleCodeLabel: 'Código antes del PIN o de la tarjeta',
    inputRuleCodeHint: 'Teclas 0–9, * y #. Vacío para la regla predeterminada, que no necesita código.',
    inputRuleGadgetLabel: 'Abre',
    chooseGadgetPlaceholder: 'Elegir…',
    ownGadgetsLabel: 'Este controlador',
    otherGadgetsLabel: 'Otros controladores de este sitio',
    inputRuleActionLabel: 'Acción',
    suggestedCodeText: code => (code === '' ? 'Sugerencia: sin código.' : `Sugerencia: ${code}.`),
    selectSuggestedCodeButton: code => (code === '' ? 'No usar código' : `Usar ${code}`),
    inputRuleIssueTexts: {
      same: code => (code === '' ? 'Ya existe una regla predeterminada.' : `El código ${code} ya se usa.`),
      begins: (code, other) => `No se puede llegar al código ${other}, porque empieza por ${code}.`,
      begun: (code, other) => `No se puede llegar al código ${code}, porque empieza por ${other}.`,
      digit_beside_default: 'Con una regla predeterminada, los códigos deben empezar por * o #.',
      default_beside_digits: other =>
        `Con una regla predeterminada, los códigos deben empezar por * o #. Cambie el código ${other}.`,
      unreadable_code: 'Use solo las teclas 0–9, * y #.',
      too_long: 'Use como máximo 20 teclas.',
      no_gadget: 'Elija una puerta.',
      no_action: 'Elija una acción.',
    },
    codeTypedByHabitText: code =>
      `Muchas personas pulsan * antes del PIN y # después por costumbre. Entonces ${code} elige esta puerta para la persona siguiente. Añada una cifra, por ejemplo ${code}1.`,
    invalidInputRuleCountText: count => `Corrija primero ${rulesOf(count)}`,
    onlyInThisVersionText: 'solo aquí',
    importResultTexts: {
      imported: count => `${rulesOf(count)} importadas. Guarde para activarlas.`,
      not_json: 'Este archivo no contiene reglas: no es JSON válido. Elija un archivo exportado.',
      no_rules: 'Este archivo no contiene una lista de reglas. Elija un archivo exportado.',
      too_large: 'Este archivo es demasiado grande. Un archivo de reglas tiene como máximo 256 kB.',
      not_text: path =>
        `Este archivo no es válido: ${path} falta o no es texto. Corrija el archivo e inténtelo de nuevo.`,
    },
  },
  preview: {
    keypadPreviewHeading: 'Vista previa del teclado',
    keypadPreviewHint: 'Pulse teclas para ver qué regla eligen.',
    liveKeypadHint: 'Las teclas del teclado real también eligen reglas aquí.',
    ignoredInputRuleCountText: count => `${rulesOf(count)} sin efecto hasta corregirlas.`,
    presentCardButton: 'Tarjeta',
    pressAKeyText: 'Pulse una tecla',
    matchingInputRuleCountText: (keys, count) =>
      `${keys}: ${countOf(count, 'regla coincide', 'reglas coinciden')}. Continúe el código.`,
    inputRuleSelectedText: (action, digits) =>
      digits === 0
        ? `${action}. Introduzca un PIN o presente una tarjeta.`
        : `${action}. PIN: ${countOf(digits, 'cifra', 'cifras')}. Pulse # para terminar.`,
    pinPresentedText: action => `${action}: ahora se comprobaría el PIN.`,
    cardPresentedText: action => `${action}: ahora se comprobaría la tarjeta.`,
    firstGadgetNameText: 'Primera puerta',
    starKeyLabel: 'asterisco, borrar',
    poundKeyLabel: 'almohadilla, entrar',
    liveKeypadTitle: station => `Teclado ${station}`,
    liveKeypadIdleText: 'libre',
    liveKeypadCodeIncompleteText: keys => `${keys} introducido, código incompleto`,
    liveInputRuleSelectedText: action => `${action}: espera un PIN o una tarjeta`,
    discardedEntryTexts: {
      dropped: 'Ninguna regla coincide. La entrada se descartó.',
      cleared: 'Borrado.',
      forgotten: 'Descartado tras 10 segundos sin teclas.',
      card_without_rule: 'Una tarjeta sola necesita una regla predeterminada.',
    },
  },
  editConflict: {
    editConflictHeading: 'Otra persona ha cambiado las reglas',
    editConflictHint: 'Abajo se muestran ambas versiones. Elija con cuál continuar. La elección se puede deshacer.',
    currentRulesHeading: 'Reglas actuales',
    yourDraftHeading: 'Su borrador',
    mergeInputRulesButton: 'Combinar ambas',
    selectYourDraftButton: 'Usar mi borrador',
    selectCurrentRulesButton: 'Usar las reglas actuales',
  },
};
