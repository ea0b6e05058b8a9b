import { Counter, Gauge } from 'prom-client';

export interface BackupMetricsSource {
  readonly status: {
    /** Null before the first backup. */
    readonly lastSuccessAt: number | null;
    readonly lastSizeBytes: number;
    readonly failures: number;
  };
}

export const createBackupMetrics = (backups: BackupMetricsSource): Array<Gauge | Counter> => [
  new Gauge({
    name: 'lintel_backup_last_success_timestamp_seconds',
    help: 'Time of the newest scheduled backup, 0 before the first one',
    registers: [],
    collect() {
      this.set((backups.status.lastSuccessAt ?? 0) / 1000);
    },
  }),
  new Gauge({
    name: 'lintel_backup_size_bytes',
    help: 'Size of the newest scheduled backup',
    registers: [],
    collect() {
      this.set(backups.status.lastSizeBytes);
    },
  }),
  new Counter({
    name: 'lintel_backup_failures_total',
    help: 'Scheduled backups that failed',
    registers: [],
    collect() {
      this.reset();
      this.inc(backups.status.failures);
    },
  }),
];
