import type { memberBulkActionMessages as english } from '../en/member-bulk-actions-and-import.ts';

const people = (count: number): string => `${count} ${count === 1 ? 'Mitglied' : 'Mitglieder'}`;

export const memberBulkActionMessages: typeof english = {
  select: name => `${name} auswählen`,
  selection: 'Ausgewählte Mitglieder',
  selected: count => `${people(count)} ausgewählt`,
  selectAll: 'Alle passenden auswählen',
  clear: 'Aufheben',
  action: 'Aktion',
  actions: {
    addGroup: 'Zu Gruppe hinzufügen',
    removeGroup: 'Aus Gruppe entfernen',
    addTag: 'Schlagwort hinzufügen',
    removeTag: 'Schlagwort entfernen',
    extend: 'Enddatum ändern',
    end: 'Zugang jetzt beenden',
    delete: 'Löschen',
  },
  titles: {
    addGroup: count => `${people(count)} zu einer Gruppe hinzufügen`,
    removeGroup: count => `${people(count)} aus einer Gruppe entfernen`,
    addTag: count => `Schlagwort für ${people(count)} hinzufügen`,
    removeTag: count => `Schlagwort von ${count} Mitgliedern entfernen`,
    extend: count => `Enddatum für ${people(count)} ändern`,
    end: count => `Zugang für ${people(count)} jetzt beenden?`,
    delete: count => `${people(count)} löschen?`,
  },
  effects: {
    addGroup: 'Die Mitglieder bekommen sofort den Zugang der Gruppe.',
    removeGroup: 'Die Mitglieder verlieren sofort den Zugang der Gruppe.',
    addTag: 'Schlagwörter helfen beim Finden von Mitgliedern. Sie geben keinen Zugang.',
    removeTag: 'Schlagwörter helfen beim Finden von Mitgliedern. Sie geben keinen Zugang.',
    extend: 'Alle ausgewählten Mitglieder bekommen dasselbe Enddatum.',
    end: 'Alle Zugangsmittel funktionieren sofort nicht mehr. Lintel löscht die Mitglieder einen Tag nach dem Ende.',
    delete: 'Jeder Zugang endet sofort. Sie können die Mitglieder später wiederherstellen.',
  },
  lockoutOf: members => `Für die ersten ${members} Mitglieder. Die Seite jedes Mitglieds zeigt dasselbe.`,
  continue: 'Weiter…',
  choose: 'Wählen …',
  newTag: 'Neues Schlagwort …',
  tagName: 'Schlagwort',
  progress: 'Fortschritt',
  summary: (done, skipped, failed, total) =>
    `${done} von ${total} geändert, ${skipped} ohne Änderung, ${failed} fehlgeschlagen`,
  exportCsv: 'CSV exportieren',
  exported: count => `${people(count)} exportiert`,
  import: 'Mitglieder importieren',
  importCount: count => `${people(count)} importieren`,
  file: 'CSV-Datei',
  fileHint: zone => `Die erste Zeile nennt die Spalten. Angaben wie 2026-06-01 15:00 sind Zeiten in ${zone}.`,
  unreadable: 'Die Datei kann nicht gelesen werden. Wählen Sie sie erneut.',
  fileProblems: {
    quote: 'die Anführungszeichen passen nicht zusammen',
    encoding: 'es gibt unlesbare Zeichen. Speichern Sie die Datei als CSV in UTF-8',
  },
  noColumn: 'Nicht in der Datei',
  fields: { name: 'Name', starts_at: 'Von', ends_at: 'Bis', email: 'E-Mail', groups: 'Gruppen' },
  planned: (count, errors) =>
    errors === 0
      ? `${people(count)} werden angelegt`
      : `${errors} fehlerhafte ${errors === 1 ? 'Zeile' : 'Zeilen'}. Korrigieren Sie die Datei und wählen Sie sie erneut.`,
  lineProblem: (line, problem) => `Zeile ${line}: ${problem}`,
  problems: {
    name: () => 'der Name fehlt',
    date: text => `„${text}“ ist keine Zeit wie 2026-06-01 15:00`,
    order: text => `das Ende ${text} liegt vor dem Beginn`,
    email: text => `„${text}“ ist keine E-Mail-Adresse`,
    group: text => `es gibt keine Gruppe „${text}“`,
  },
  created: (done, failed, total) => `${done} von ${total} angelegt, ${failed} fehlgeschlagen`,
  undo: 'Import rückgängig machen',
  undone: (done, total) => `${done} von ${total} wieder gelöscht`,
};
