import type { InputRulesEditorTexts } from './input-rules-texts-provider.ts';

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const rulesOf = (count: number): string => countOf(count, 'Regel', 'Regeln');

const verbs: Readonly<Record<string, string>> = {
  open: 'öffnet',
  close: 'schließt',
  lock: 'verriegelt',
  unlock: 'entriegelt',
  stop: 'stoppt',
  toggle: 'schaltet',
  on: 'schaltet ein:',
  off: 'schaltet aus:',
};

export const germanInputRulesTexts: InputRulesEditorTexts = {
  rules: {
    inputRulesHeading: 'Eingaberegeln',
    inputRulesIntroText: 'Ein Code wählt die Tür, danach folgt eine PIN oder eine Karte.',
    inputRuleSentenceText: (keys, action) =>
      keys === '' ? `Eine PIN oder Karte allein ${action}` : `Code ${keys}, danach eine PIN oder Karte, ${action}`,
    inputRuleActionText: (actionId, actionName, gadget) =>
      verbs[actionId] === undefined ? `führt „${actionName}“ an ${gadget} aus` : `${verbs[actionId]} ${gadget}`,
    noGadgetChosenText: 'hat noch keine Tür',
    unknownGadgetNameText: 'eine unbekannte Tür',
    noInputRulesText: 'Keine Regeln',
    noInputRulesHint: gadget => `Eine PIN oder Karte führt die erste Aktion von ${gadget ?? 'der ersten Tür'} aus.`,
    defaultInputRuleBadge: 'Standard',
    otherControllerBadge: 'anderer Controller',
    inputRulesNotAppliedText: 'Noch nicht gespeichert',
    inputRulesNotSyncedText: 'Hier aktiv, noch nicht in der Cloud',
    inputRulesNotSyncedHint: 'Die Regeln werden übertragen, sobald der Controller online ist.',
    searchInputRulesLabel: 'Regel suchen',
    inputRuleCountText: rulesOf,
    addInputRuleButton: 'Regel hinzufügen',
    deleteInputRuleButton: 'Löschen',
    finishEditingButton: 'Fertig',
    undoButton: 'Rückgängig',
    redoButton: 'Wiederholen',
    discardChangesButton: 'Änderungen verwerfen',
    importFileButton: 'Importieren',
    exportFileButton: 'Exportieren',
    inputRuleCodeLabel: 'Code vor der PIN oder Karte',
    inputRuleCodeHint: 'Tasten 0–9, * und #. Leer für die Standardregel, die keinen Code braucht.',
    inputRuleGadgetLabel: 'Öffnet',
    chooseGadgetPlaceholder: 'Wählen …',
    ownGadgetsLabel: 'Dieser Controller',
    otherGadgetsLabel: 'Andere Controller an diesem Standort',
    inputRuleActionLabel: 'Aktion',
    suggestedCodeText: code => (code === '' ? 'Vorschlag: kein Code.' : `Vorschlag: ${code}.`),
    selectSuggestedCodeButton: code => (code === '' ? 'Keinen Code verwenden' : `${code} verwenden`),
    inputRuleIssueTexts: {
      same: code => (code === '' ? 'Es gibt schon eine Standardregel.' : `Code ${code} wird schon verwendet.`),
      begins: (code, other) => `Code ${other} ist nie erreichbar, weil er mit ${code} beginnt.`,
      begun: (code, other) => `Code ${code} ist nie erreichbar, weil er mit ${other} beginnt.`,
      digit_beside_default: 'Mit einer Standardregel müssen Codes mit * oder # beginnen.',
      default_beside_digits: other =>
        `Mit einer Standardregel müssen Codes mit * oder # beginnen. Ändern Sie den Code ${other}.`,
      unreadable_code: 'Verwenden Sie nur die Tasten 0–9, * und #.',
      too_long: 'Verwenden Sie höchstens 20 Tasten.',
      no_gadget: 'Wählen Sie eine Tür.',
      no_action: 'Wählen Sie eine Aktion.',
    },
    codeTypedByHabitText: code =>
      `Viele drücken aus Gewohnheit * vor und # nach der PIN. Dann wählt ${code} diese Tür für die nächste Person. Fügen Sie eine Ziffer hinzu, zum Beispiel ${code}1.`,
    invalidInputRuleCountText: count => `Korrigieren Sie zuerst ${rulesOf(count)}`,
    onlyInThisVersionText: 'nur hier',
    importResultTexts: {
      imported: count => `${rulesOf(count)} importiert. Speichern Sie, damit sie gelten.`,
      not_json: 'Diese Datei enthält keine Regeln: Sie ist kein gültiges JSON. Wählen Sie eine exportierte Datei.',
      no_rules: 'Diese Datei enthält keine Liste von Regeln. Wählen Sie eine exportierte Datei.',
      too_large: 'Diese Datei ist zu groß. Eine Regeldatei hat höchstens 256 kB.',
      not_text: path =>
        `Diese Datei ist ungültig: ${path} fehlt oder ist kein Text. Korrigieren Sie die Datei, und versuchen Sie es erneut.`,
    },
  },
  preview: {
    keypadPreviewHeading: 'Vorschau des Tastenfelds',
    keypadPreviewHint: 'Drücken Sie Tasten, um zu sehen, welche Regel sie wählen.',
    liveKeypadHint: 'Tasten am echten Tastenfeld wählen auch hier Regeln.',
    ignoredInputRuleCountText: count => `${rulesOf(count)} bis zur Korrektur nicht berücksichtigt.`,
    presentCardButton: 'Karte',
    pressAKeyText: 'Drücken Sie eine Taste',
    matchingInputRuleCountText: (keys, count) =>
      `${keys}: ${countOf(count, 'Regel passt', 'Regeln passen')}. Setzen Sie den Code fort.`,
    inputRuleSelectedText: (action, digits) =>
      digits === 0
        ? `${action}. Geben Sie eine PIN ein, oder halten Sie eine Karte vor.`
        : `${action}. PIN: ${countOf(digits, 'Ziffer', 'Ziffern')}. # beendet die Eingabe.`,
    pinPresentedText: action => `${action}: Die PIN würde jetzt geprüft.`,
    cardPresentedText: action => `${action}: Die Karte würde jetzt geprüft.`,
    firstGadgetNameText: 'Erste Tür',
    starKeyLabel: 'Stern, löschen',
    poundKeyLabel: 'Raute, Eingabe',
    liveKeypadTitle: station => `Tastenfeld ${station}`,
    liveKeypadIdleText: 'bereit',
    liveKeypadCodeIncompleteText: keys => `${keys} eingegeben, Code unvollständig`,
    liveInputRuleSelectedText: action => `${action}: wartet auf eine PIN oder Karte`,
    discardedEntryTexts: {
      dropped: 'Keine Regel passt. Die Eingabe wurde verworfen.',
      cleared: 'Gelöscht.',
      forgotten: 'Nach 10 Sekunden ohne Taste verworfen.',
      card_without_rule: 'Eine Karte allein braucht eine Standardregel.',
    },
  },
  editConflict: {
    editConflictHeading: 'Jemand anderes hat die Regeln geändert',
    editConflictHint:
      'Beide Fassungen stehen unten. Wählen Sie, womit Sie weiterarbeiten. Die Wahl lässt sich rückgängig machen.',
    currentRulesHeading: 'Aktuelle Regeln',
    yourDraftHeading: 'Ihr Entwurf',
    mergeInputRulesButton: 'Beide zusammenführen',
    selectYourDraftButton: 'Meinen Entwurf verwenden',
    selectCurrentRulesButton: 'Die aktuellen Regeln verwenden',
  },
};
