import type { organizationUsersMessages as english } from '../en/organization-users.ts';

export const organizationUsersMessages: typeof english = {
  title: 'Benutzer',
  subtitle: 'Wer diese Organisation verwaltet',
  users: 'Benutzer',
  auditLog: 'Prüfprotokoll',
  you: 'Sie',
  invite: 'Person einladen',
  sendInvitation: 'Einladen',
  email: 'E-Mail-Adresse',
  role: 'Rolle',
  roleTexts: {
    owner: 'Alles, auch andere Inhaber.',
    administrator: 'Alles außer Inhabern.',
    front_desk:
      'Mitglieder, Aufenthalte, Zugangsmittel und Karten. Öffnet Türen. Ändert keine Türen, Gruppen oder Einstellungen.',
    viewer: 'Sieht alles außer Geheimnissen. Ändert nichts.',
    technician:
      'Controller, Eingaberegeln und Inbetriebnahme, nur an den gewählten Standorten. Sieht keine Mitglieder.',
  },
  sites: 'Standorte des Technikers',
  invited: 'Eingeladen',
  invitationOf: email => `Einladung für ${email}`,
  invitationLink: 'Einladungslink',
  sentByEmail: 'Die Einladung wurde per E-Mail gesendet. Der Link gilt 7 Tage.',
  linkOnce:
    'Diese Bridge sendet keine E-Mails. Geben Sie den Link der Person. Er gilt 7 Tage, funktioniert einmal und wird nicht noch einmal angezeigt.',
  resend: 'Neuer Link',
  revoke: 'Einladung widerrufen',
  revokeTitle: name => `Einladung von ${name} widerrufen?`,
  revokeText: 'Der Link funktioniert nicht mehr.',
  changeRole: 'Rolle ändern',
  editTitle: name => `Rolle von ${name}`,
  remove: 'Entfernen',
  removeTitle: name => `${name} entfernen?`,
  removeText: 'Die Person verliert sofort den Zugang zu dieser Organisation. Das Konto selbst bleibt.',
  auditText: 'Was Personen und Anwendungen geändert, angesehen und geöffnet haben',
  person: 'Person',
  everyone: 'Alle',
  noActions: 'Keine Einträge gefunden',
  noActionsText:
    'Kein Eintrag passt zu den Filtern. Änderungen, angesehene Geheimnisse und von hier geöffnete Türen stehen in dieser Liste.',
};
