/** Whoever may edit integrations may read their records. */
export const mayReadRecords = ['ADMIN', 'UPDATE_ADDON'] as const;

export const recordTag = 'Integrations';
