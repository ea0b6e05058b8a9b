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
};
