import { Type } from 'typebox';

export const tag = 'Integrations';

export const path = '/api/admin/addons';

/** Text, so that an id that is no number is one of nothing, and not malformed. */
export const params = Type.Object({ id: Type.String({ description: 'Id of the integration' }) });

/** Whoever may edit integrations may read their records, and decide what is sent. */
export const mayEdit = ['ADMIN', 'UPDATE_ADDON'] as const;
